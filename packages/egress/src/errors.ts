import type { HttpErrorClass } from './http-client.ts';

/** An exchange that failed, with the class the caller is told. */
export class EgressError extends Error {
  readonly class: HttpErrorClass;

  constructor(errorClass: HttpErrorClass, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EgressError';
    this.class = errorClass;
  }
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
]);

/** Says why a connection could not be made. Nothing of a request was written yet. */
export function connectError(cause: Error, secure: boolean): EgressError {
  if (cause instanceof EgressError) return cause;
  const code = codeOf(cause);
  const text = describe(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return new EgressError('timeout', text, { cause });
  const tlsBrokeOff = code === 'ECONNRESET' && cause.message.includes('before secure TLS connection');
  if (unreachable.has(code) && !tlsBrokeOff) return new EgressError('refused', text, { cause });
  return new EgressError(secure ? 'tls' : 'refused', text, { cause });
}

/** Says why an exchange on an open connection failed. */
export function exchangeError(cause: Error): EgressError {
  if (cause instanceof EgressError) return cause;
  return new EgressError(classOf(codeOf(cause)), describe(cause), { cause });
}

function classOf(code: string): HttpErrorClass {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large';
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return 'reset';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_ABORTED')
    return 'aborted';
  if (code === 'ETIMEDOUT') return 'timeout';
  return 'protocol';
}

/** Node's happy-eyeballs error has an empty message and one error per address it tried. */
function describe(cause: Error): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ');
  return cause.message;
}

function codeOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? code : '';
}
