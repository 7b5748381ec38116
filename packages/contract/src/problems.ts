/** Every error code of the interface: its HTTP status, its title, and the line `docs/errors.md` gives it. */
export const problems = {
  'malformed-json': { status: 400, title: 'The body is not valid JSON' },
  unauthenticated: { status: 401, title: 'A valid access token is needed' },
  'invalid-credentials': { status: 401, title: 'Email or password is wrong' },
  'invalid-api-key': { status: 401, title: 'The API key is missing, mistyped or revoked' },
  'trial-expired': { status: 402, title: 'The trial is over' },
  forbidden: { status: 403, title: 'Not allowed' },
  'not-found': { status: 404, title: 'No such resource' },
  'unknown-channel': { status: 404, title: 'No such channel' },
  'email-taken': { status: 409, title: 'The email address is registered already' },
  'idempotency-key-reused': { status: 409, title: 'The idempotency key was used for a different request' },
  'limit-reached': { status: 409, title: 'A limit is reached' },
  'not-cancelable': { status: 409, title: 'The message can no longer be canceled' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json' },
  'invalid-request': { status: 422, title: 'The request is not valid' },
  'media-not-supported': { status: 422, title: 'The channel does not take media' },
  'media-url-required': { status: 422, title: 'A media message needs a url' },
  'channel-not-connected': { status: 422, title: 'No account is connected on the channel' },
  'channel-account-not-found': { status: 422, title: 'No such channel account' },
  'invalid-recipient': { status: 422, title: 'The recipient is not valid on the channel' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof problems;
