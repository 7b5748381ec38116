/** The meaning of an error code of the interface: its HTTP status, its title, and advice for the caller. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** One or two sentences for the documentation. */
  readonly help: string;
}

/** Every error code of the interface. `docs/errors.md` and the pages below `/problems/` are generated from it. */
export const problems = {
  'malformed-json': {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'The body could not be parsed or is not UTF-8. Use a JSON encoder.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid access token or service token is required',
    help: 'The access token, the service token or the refresh token is missing, malformed, expired or revoked, or its session has ended. Refresh, log in again, or create a service token. Service tokens do not work on `/auth/*` and `/tenant/service-tokens`.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Wrong email or password',
    help: 'The email address is not registered, or the password does not match. The response does not say which.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is missing, invalid, expired or revoked',
    help: 'Send the whole key in the `X-Api-Key` header. A revoked or expired key stops working with the next request.',
  },
  'trial-expired': {
    status: 402,
    title: 'The trial has ended',
    help: 'The tenant cannot send until the operator assigns a plan. Reading still works.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    help: '`detail` says which is the reason: the key or the token lacks a scope, or does not work from this address; the operator has blocked the tenant; registration is closed; the email address must be verified first; or the refresh cookie came from another origin.',
  },
  'not-found': {
    status: 404,
    title: 'No such resource',
    help: "The path does not exist, or the tenant has no resource with this ID. Another tenant's resource gets the same response.",
  },
  'unknown-channel': {
    status: 404,
    title: 'No such channel',
    help: 'The channels are `whatsapp`, `telegram` and `sms`, in small letters. `detail` lists them.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The path does not take this method',
    help: 'The header `Allow` lists the methods of the path. Compare method and path with the reference.',
  },
  'email-taken': {
    status: 409,
    title: 'The email address is already registered',
    help: 'Log in, or register with another address. Addresses are not case-sensitive.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'The idempotency key was used for a different request',
    help: 'Channel, recipient, content, account, `sendAt` and `urgent` must match the first request. Use a new key for a new message.',
  },
  'limit-reached': {
    status: 409,
    title: 'Limit reached',
    help: '`detail` names the limit. Remove a key, a webhook, an account or an uploaded file, or close a stream, then try again. For replaced webhook secrets, wait until the time in `detail`. With status 429, too many messages are waiting to be sent, or are scheduled: try again later.',
  },
  'not-cancelable': {
    status: 409,
    title: 'The message can no longer be canceled',
    help: 'The message has been sent, is being sent, or has failed. `detail` says which.',
  },
  'not-resendable': {
    status: 409,
    title: 'The message cannot be resent',
    help: '`detail` says why: the message has not failed, a person wrote it, its group has not ended, or it carries a one-time code. Send a new message, or start a new verification.',
  },
  'not-changeable': {
    status: 409,
    title: 'The resource can no longer be changed',
    help: '`detail` says why: for example, the API key was already replaced by another one, or the message has been sent or is being sent.',
  },
  'file-in-use': {
    status: 409,
    title: 'A message waits for the file',
    help: 'Cancel the messages and groups that send the file, or wait until they have ended. The file is removed by itself an hour later.',
  },
  'media-expired': {
    status: 410,
    title: 'The provider no longer has the file',
    help: 'Providers keep files for some days or weeks. Fetch them soon after the event `message.received`.',
  },
  'cursor-expired': {
    status: 410,
    title: 'The cursor has expired',
    help: 'It is older than 7 days, or from before the database was restored or taken over by another server. Read the list of events from its beginning (`GET /v1/events` without a cursor), and leave out events whose `id` you have.',
  },
  'too-large': {
    status: 413,
    title: 'The body is too large',
    help: 'The limit is 1 MB. An uploaded file may have 16 MB, unless the operator chose another limit (`detail` says so). Bulk calls may have 6 MB (2 MB without the overhead of escape sequences), callbacks 4 MB, and requests without authentication 16 KB. A body in more than 8,192 chunks is rejected too. Split larger bulk calls.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be application/json',
    help: 'Send `Content-Type: application/json`, encoded as UTF-8 and not compressed. An uploaded file may have any type, but must not be sent with a `Content-Encoding`.',
  },
  'invalid-request': {
    status: 422,
    title: 'The request is invalid',
    help: '`errors` lists every invalid field (`body/messages/3/to`, `query/limit`, `path/id`) with the reason. Unknown fields are rejected. With status 400, the request was not valid HTTP. With 408, it took too long to arrive.',
  },
  'media-not-supported': {
    status: 422,
    title: 'The channel does not support media',
    help: 'SMS supports text only.',
  },
  'media-url-required': {
    status: 422,
    title: 'A media message requires a URL',
    help: 'Set `url` to the public http(s) URL of the file, or `fileId` to the ID of an uploaded file.',
  },
  'file-not-found': {
    status: 422,
    title: 'No such file',
    help: 'The tenant has no uploaded file with this `fileId`, another API key uploaded it, or it is gone: unused files are removed after 24 hours, used ones an hour after their last message has ended. Upload the file again.',
  },
  'channel-not-connected': {
    status: 422,
    title: 'The channel has no connected account',
    help: 'No account of the channel is its default. Name one in `channelAccountId`, make one the default (`PATCH /v1/channel-accounts/:id` with `isDefault: true`), or connect one with `POST /v1/channel-accounts`. An account that was never verified does not become the default by itself.',
  },
  'channel-account-not-found': {
    status: 422,
    title: 'No such channel account',
    help: 'The tenant has no account with this `channelAccountId` on the channel, or the API key is for other accounts only.',
  },
  'invalid-recipient': {
    status: 422,
    title: 'The recipient is invalid for the channel',
    help: 'Use a phone number in E.164 format for sms (with `+`) and whatsapp, and a chat ID or `@username` for telegram.',
  },
  'interactive-not-supported': {
    status: 422,
    title: 'The account cannot send buttons or lists',
    help: 'Buttons and lists need an account of `whatsapp-cloud` or `telegram-bot`, or one of `sandbox` on whatsapp or telegram. `GET /v1/providers` shows where they work (`interactiveOn`). With `fallback: "numbered"`, other accounts send a text with numbers to reply.',
  },
  'template-not-supported': {
    status: 422,
    title: 'The provider of the account has no templates',
    help: 'Send a text, or send from an account of another provider. `GET /v1/providers` shows which ones have templates.',
  },
  'template-not-found': {
    status: 422,
    title: 'No such template',
    help: 'The account has no template with this name in this language. `detail` lists the languages that it has. A template that was created just now is found within a minute.',
  },
  'template-not-approved': {
    status: 422,
    title: 'The template is not approved',
    help: '`detail` has its status and the reason of the provider. Only an approved template can be sent.',
  },
  'template-parameters-invalid': {
    status: 422,
    title: 'The parameters do not fit the template',
    help: '`errors` names each parameter that is missing, surplus or malformed. `GET /v1/channel-accounts/{id}/templates` shows what a template takes.',
  },
  'verification-ended': {
    status: 409,
    title: 'The verification has ended',
    help: 'It was approved, failed, canceled or has expired; `detail` says which. Start a new one.',
  },
  'verification-held': {
    status: 429,
    title: 'Verifications to this country are held',
    help: 'Too few of the latest codes to numbers with this country prefix were entered. That is a sign of traffic pumping: fraudsters request codes to expensive numbers to share in the fee. First protect the form that starts verifications. Starts work again after the time in `Retry-After`, or when `PUT /v1/verification-limits` releases the prefix.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for the number of seconds in `Retry-After`: the rest of the minute, for one-time codes up to an hour. Earlier requests get 429 again. `RateLimit-Remaining` shows how many requests are left.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'This is a fault of the service. Give `requestId` to the operator, who finds the details in the log. With an idempotency key, a send can be repeated safely.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    help: 'The service has too much to do and did nothing (`detail` says so). Or the database is unreachable or too slow, too many passwords wait to be checked, or the provider of a file or a pairing link does not respond (`detail` says so). Try again after the number of seconds in `Retry-After`. With an idempotency key, a send can be repeated safely.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problems;

/**
 * The `errorCode`s of a failed message that do not depend on its provider, each with its meaning and advice. The codes
 * of providers are in `@notify/channels`. Items of a bulk call can also have the codes of a refused send:
 * `invalid-recipient`, `channel-not-connected`, `channel-account-not-found`, `idempotency-key-reused`,
 * `file-not-found`, and those of templates.
 */
export const messageErrors = {
  expired:
    'The message could not be sent within `expiresInSeconds`, for example because the account was disconnected or the provider was down.',
  'outcome-unknown':
    'The provider never responded, so the message may or may not have been sent, and `settings.onUnknownOutcome` forbids sending it again. A later delivery receipt corrects the status.',
  'channel-account-removed': 'The account was removed before the message was sent.',
  canceled: 'The message was canceled before it was sent.',
  'invalid-send-at':
    'The `sendAt` of an item of a bulk call is more than a minute ago, or more than 30 days ahead. A single send answers 422 instead.',
  'settings-changed':
    "How long texts are split changed after part of the message was sent: by the account's settings, or by an update of Notify. Send the rest as a new message.",
  'verification-ended':
    'The verification ended before its code was sent: by a newer start, by a check, or because it expired.',
  'code-unreadable':
    'The one-time code could not be decrypted until it expired. The operator finds the reason in the log.',
  'delivery-failed': 'The provider reported a failure without a reason.',
} as const satisfies Readonly<Record<string, string>>;
