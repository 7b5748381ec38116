import type { HttpErrorClass } from '../http-client.ts';

/** The kind of failure to fetch a file. */
export type MediaErrorClass =
  | HttpErrorClass
  /** An answer other than the file. `status` is its status. */
  | 'http-status'
  /** Too many redirects, or one without a destination. */
  | 'redirects'
  /** An unrequested content coding. */
  | 'coding'
  /** Our own disk failed. */
  | 'spool';

/** The reason why a file could not be fetched, beyond the failures of an exchange. */
export class MediaError extends Error {
  readonly class: MediaErrorClass;
  /** The status of the answer, if there was one. */
  readonly status: number | null;

  constructor(
    errorClass: MediaErrorClass,
    message: string,
    options: ErrorOptions & { status?: number } = {},
  ) {
    super(message, options);
    this.name = 'MediaError';
    this.class = errorClass;
    this.status = options.status ?? null;
  }
}
