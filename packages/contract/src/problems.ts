/** What an error code of the interface means: its HTTP status, its title, and what a caller can do about it. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** One or two sentences for the documentation. */
  readonly help: string;
}

/** Every error code of the interface. `docs/errors.md` and the pages below `/problems/` are made from it. */
export const problems = {
  'malformed-json': {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'The body could not be parsed, or is not UTF-8. Send what a JSON encoder made.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid access token is needed',
    help: 'The access token (or the refresh token) is missing, changed or past its time, or its session has ended. Refresh, or log in again.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Email or password is wrong',
    help: 'Nobody has this email address, or the password is another. Which of the two is not told.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is missing, mistyped or revoked',
    help: 'Send the whole key in the header `X-Api-Key`. A revoked key stops working with the next request.',
  },
  'trial-expired': {
    status: 402,
    title: 'The trial is over',
    help: 'Nothing can be sent until the operator gives the tenant a plan. Reading goes on working.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    help: '`detail` says why: the operator blocked the tenant, registration is closed, or the refresh cookie came from another origin.',
  },
  'not-found': {
    status: 404,
    title: 'No such resource',
    help: "The path, or the id in it, leads to nothing of this tenant's. Another tenant's resource gets the same answer.",
  },
  'unknown-channel': {
    status: 404,
    title: 'No such channel',
    help: 'The channels are `whatsapp`, `telegram` and `sms`.',
  },
  'email-taken': {
    status: 409,
    title: 'The email address is registered already',
    help: 'Log in, or register with another address. Case does not make addresses different.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'The idempotency key was used for a different request',
    help: 'Channel, recipient, content and account must be the same as the first time. Use a new key for a new message.',
  },
  'limit-reached': {
    status: 409,
    title: 'A limit is reached',
    help: '`detail` names it. Remove a key, a webhook or an account, or close a stream, first; replaced secrets of a webhook stop signing at the time that `detail` names. With status 429 too many messages wait to be sent: try again later.',
  },
  'not-cancelable': {
    status: 409,
    title: 'The message can no longer be canceled',
    help: 'It has been sent, or is being sent, or has failed. `detail` says which.',
  },
  'not-resendable': {
    status: 409,
    title: 'Only a message that failed can be sent again',
    help: 'It waits, or has been sent. Send a new message instead.',
  },
  'too-large': {
    status: 413,
    title: 'The body is too large',
    help: 'A body may have 1 MB, that of a bulk call 6 MB (2 MB besides what escapes add), that of a callback 256 KB, that of a request without a credential 16 KB. A body in more than 8,192 pieces is refused too. Split a bulk call that is larger.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be application/json',
    help: 'Send `Content-Type: application/json`, in UTF-8 and not compressed.',
  },
  'invalid-request': {
    status: 422,
    title: 'The request is not valid',
    help: '`errors` names every field at fault (`body/messages/3/to`, `query/limit`, `path/id`) and says what is wrong with it. Unknown fields are refused. With status 400 it was not valid HTTP, with 408 it took too long to arrive.',
  },
  'media-not-supported': {
    status: 422,
    title: 'The channel does not take media',
    help: 'SMS carries text only.',
  },
  'media-url-required': {
    status: 422,
    title: 'A media message needs a url',
    help: 'Give the public http(s) URL of the file in `url`.',
  },
  'channel-not-connected': {
    status: 422,
    title: 'No account is connected on the channel',
    help: 'Connect one with `POST /v1/channel-accounts`.',
  },
  'channel-account-not-found': {
    status: 422,
    title: 'No such channel account',
    help: 'The tenant has no account with this `channelAccountId` on the channel.',
  },
  'invalid-recipient': {
    status: 422,
    title: 'The recipient is not valid on the channel',
    help: 'A phone number in E.164 for sms (with `+`) and whatsapp, a chat id or `@username` for telegram.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for as many seconds as `Retry-After` says. `RateLimit-Remaining` tells in advance.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'A fault of ours. Give `requestId` to the operator, whose log has the rest. A send may be repeated safely with an idempotency key.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    help: 'The database cannot be reached or takes too long, or too many passwords are waiting to be checked. Try again after as many seconds as `Retry-After` says; a send safely so with an idempotency key.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problems;

/**
 * The `errorCode`s a failed message can have whatever its provider said, with what each means and what to do; those that
 * come from a provider are in `@notify/channels`. Items of a bulk call can besides have the codes of a refused send: `invalid-recipient`, `channel-not-connected`, `channel-account-not-found`,
 * `idempotency-key-reused`.
 */
export const messageErrors = {
  expired:
    'It could not be sent within `expiresInSeconds`: the account was disconnected, or the provider away.',
  'outcome-unknown':
    'The provider never answered, so it may have been sent or not, and `settings.onUnknownOutcome` forbids to send it again. A later report corrects the status.',
  'channel-account-removed': 'The account was removed while the message waited.',
  canceled: 'It was canceled while it waited.',
  'settings-changed':
    "The account's splitting of long texts was changed when a part of the message had been sent. Send the rest anew.",
  'delivery-failed': 'The provider reported that the message failed, without a reason.',
} as const satisfies Readonly<Record<string, string>>;
