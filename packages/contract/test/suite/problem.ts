/** Every error code of the interface's "Errors" section, and its HTTP status. */
export const statusOfCode = {
  'malformed-json': 400,
  unauthenticated: 401,
  'invalid-credentials': 401,
  'invalid-api-key': 401,
  'trial-expired': 402,
  forbidden: 403,
  'not-found': 404,
  'unknown-channel': 404,
  'method-not-allowed': 405,
  'email-taken': 409,
  'idempotency-key-reused': 409,
  'limit-reached': 409,
  'not-cancelable': 409,
  'not-resendable': 409,
  'not-changeable': 409,
  'verification-ended': 409,
  'file-in-use': 409,
  'media-expired': 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'invalid-request': 422,
  'media-not-supported': 422,
  'media-url-required': 422,
  'file-not-found': 422,
  'channel-not-connected': 422,
  'channel-account-not-found': 422,
  'invalid-recipient': 422,
  'interactive-not-supported': 422,
  'template-not-supported': 422,
  'template-not-found': 422,
  'template-not-approved': 422,
  'template-parameters-invalid': 422,
  'rate-limited': 429,
  'verification-held': 429,
  internal: 500,
  unavailable: 503,
} as const;

export type Code = keyof typeof statusOfCode;

/** What an answer with this problem looks like (RFC 9457); with `at`, one of its `errors` names that field. */
export function problem(code: Code, at?: string): object {
  const named = at === undefined ? {} : { errors: namesField(at) };
  return {
    status: statusOfCode[code],
    type: 'application/problem+json',
    body: {
      type: expect.stringMatching(new RegExp(`/problems/${code}$`)),
      title: expect.stringMatching(/./),
      status: statusOfCode[code],
      code,
      requestId: expect.stringMatching(/./),
      ...named,
    },
  };
}

/** An `errors` list with an entry for the field: `at` is a part of its place, or several. */
function namesField(at: string): unknown {
  const place = expect.stringMatching(new RegExp(`(^|/)${at}(/|$)`));
  return expect.arrayContaining([{ at: place, message: expect.stringMatching(/./) }]);
}
