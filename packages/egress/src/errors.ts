import type { HttpErrorClass } from './http-client.ts';

/** A failed exchange, with the class that the caller sees. */
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

/** Says why a connection could not be made. No byte of a request had been written. */
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

/** Replaces texts of Node or undici that would name an address or the names in a certificate. */
const wordsFor: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

/**
 * An error in words that tenants may read. It contains no address and no path, because a name that the operator excepts
 * may lead to a private address. Node's happy-eyeballs error has an empty message and one error per tried address.
 */
export function describe(cause: Error): string {
  const { errors } = cause as Partial<AggregateError>;
  if (errors !== undefined && cause.message === '')
    return [...new Set(errors.map((error) => (Error.isError(error) ? describe(error) : String(error))))].join(
      '; ',
    );
  const { syscall } = cause as NodeJS.ErrnoException;
  const code = codeOf(cause);
  return wordsFor[code] ?? (syscall === undefined ? cause.message : `${syscall} ${code}`);
}

function codeOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? code : '';
}
