import type { Problem } from './schema.ts';

/** Every `code` that the service answers. Each has a page: `<baseUrl>/problems/<code>`. */
export type ErrorCode = Problem['code'];

/** A field that the service refused: `at` is its place (`body/messages/3/to`, `query/limit`). */
export type FieldError = NonNullable<Problem['errors']>[number];

/** Base class of every error of this package. `cause` holds the error below it, where there is one. */
export class NotifyError extends Error {
  override readonly name: string = 'NotifyError';
  /**
   * With a single send: the key of every try. Repeating the request with this key sends no second message.
   */
  declare idempotencyKey?: string;
  /**
   * With `sendBulk`: the keys of the items, in their order. Another call with these keys and the same items gives no second
   * messages.
   */
  declare idempotencyKeys?: readonly string[];
}

/** The client was set up or called wrongly: no base URL, no credential, an empty id. Nothing was sent. */
export class ConfigurationError extends NotifyError {
  override readonly name: string = 'ConfigurationError';
}

/** The service could not be reached, or the connection ended before the answer was complete. */
export class ConnectionError extends NotifyError {
  override readonly name: string = 'ConnectionError';
}

/** A try took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** What an answer that is not a success says. */
export interface Refusal {
  /** `unknown` if something else than Notify answered, a proxy for example. */
  readonly code: ErrorCode | 'unknown';
  /** The HTTP status. */
  readonly status: number;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  /** The wait that the service asked for, in ms. */
  readonly retryAfterMs?: number | undefined;
}

/** The service answered, and its answer is not a success. Switch on `code`, or use `instanceof` with a subclass. */
export class ApiError extends NotifyError implements Refusal {
  override readonly name: string = 'ApiError';
  readonly code: Refusal['code'];
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  /** The refused fields; empty if the error is not about fields. */
  readonly errors: readonly FieldError[];
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Refusal) {
    super(messageOf(refusal));
    this.code = refusal.code;
    this.status = refusal.status;
    this.title = refusal.title;
    this.detail = refusal.detail;
    this.errors = refusal.errors ?? [];
    this.requestId = refusal.requestId;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/** The request is malformed: `errors` names the fields. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** The API key or the token is missing, invalid, expired or revoked. */
export class UnauthenticatedError extends ApiError {
  override readonly name: string = 'UnauthenticatedError';
}

/** The tenant's trial has ended. */
export class TrialExpiredError extends ApiError {
  override readonly name: string = 'TrialExpiredError';
}

/** The credential may not do this: `detail` names the missing scope. */
export class ForbiddenError extends ApiError {
  override readonly name: string = 'ForbiddenError';
}

/** The resource does not exist, or it belongs to another tenant. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** The path does not take this method: the service is of another version, or `baseUrl` leads elsewhere. */
export class MethodNotAllowedError extends ApiError {
  override readonly name: string = 'MethodNotAllowedError';
}

/** The resource's state does not allow this. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** The idempotency key was used for another request. Nothing was sent. */
export class IdempotencyKeyReusedError extends ConflictError {
  override readonly name: string = 'IdempotencyKeyReusedError';
}

/** A limit was reached. `detail` names it. */
export class LimitReachedError extends ConflictError {
  override readonly name: string = 'LimitReachedError';
}

/** The cursor, or the file, is no longer kept: `code` says which. */
export class ExpiredError extends ApiError {
  override readonly name: string = 'ExpiredError';
}

/** The message cannot be sent: recipient, account, media or template. Nothing was sent. */
export class UnsendableError extends ApiError {
  override readonly name: string = 'UnsendableError';
}

/** Too many requests. `retryAfterMs` is how long to wait. */
export class RateLimitedError extends ApiError {
  override readonly name: string = 'RateLimitedError';
}

/** A fault of the service. Give `requestId` to its operator. */
export class InternalError extends ApiError {
  override readonly name: string = 'InternalError';
}

/** The service, or a proxy before it, cannot answer for now. */
export class UnavailableError extends ApiError {
  override readonly name: string = 'UnavailableError';
}

const classes: Readonly<Record<ErrorCode, typeof ApiError>> = {
  'malformed-json': InvalidRequestError,
  'invalid-request': InvalidRequestError,
  'too-large': InvalidRequestError,
  'unsupported-media-type': InvalidRequestError,
  unauthenticated: UnauthenticatedError,
  'invalid-credentials': UnauthenticatedError,
  'invalid-api-key': UnauthenticatedError,
  'trial-expired': TrialExpiredError,
  forbidden: ForbiddenError,
  'not-found': NotFoundError,
  'unknown-channel': NotFoundError,
  'method-not-allowed': MethodNotAllowedError,
  'email-taken': ConflictError,
  'not-cancelable': ConflictError,
  'not-changeable': ConflictError,
  'not-resendable': ConflictError,
  'verification-ended': ConflictError,
  'verification-held': RateLimitedError,
  'idempotency-key-reused': IdempotencyKeyReusedError,
  'limit-reached': LimitReachedError,
  'file-in-use': ConflictError,
  'media-expired': ExpiredError,
  'cursor-expired': ExpiredError,
  'media-not-supported': UnsendableError,
  'media-url-required': UnsendableError,
  'file-not-found': UnsendableError,
  'channel-not-connected': UnsendableError,
  'channel-account-not-found': UnsendableError,
  'invalid-recipient': UnsendableError,
  'interactive-not-supported': UnsendableError,
  'template-not-supported': UnsendableError,
  'template-not-found': UnsendableError,
  'template-not-approved': UnsendableError,
  'template-parameters-invalid': UnsendableError,
  'rate-limited': RateLimitedError,
  internal: InternalError,
  unavailable: UnavailableError,
};

const gatewayStatuses: readonly number[] = [502, 503, 504];

/** The error for a refusal, of the class that fits its code, or its status if the code is unknown. */
export function apiError(refusal: Refusal): ApiError {
  if (isKnown(refusal.code)) return new classes[refusal.code](refusal);
  return new (gatewayStatuses.includes(refusal.status) ? UnavailableError : ApiError)(refusal);
}

function isKnown(code: Refusal['code']): code is ErrorCode {
  return Object.hasOwn(classes, code);
}

function messageOf({ code, status, title, detail, errors = [] }: Refusal): string {
  const fields = errors.map(({ at, message }) => `${at} ${message}`).join('; ');
  return `${[title, detail, fields].filter(Boolean).join(': ')} (${code}, HTTP ${status})`;
}
