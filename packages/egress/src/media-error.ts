import type { HttpErrorClass } from './http-client.ts';

/** Why a file could not be had. */
export type MediaErrorClass =
  | HttpErrorClass
  /** An answer other than the file; `status` says which. */
  | 'http-status'
  /** It leads from address to address too often, or nowhere. */
  | 'redirects'
  /** A content coding nobody asked for. */
  | 'coding'
  /** Our own disk. */
  | 'spool';

/** Why a file could not be had, beyond what an exchange knows of. */
export class MediaError extends Error {
  readonly class: MediaErrorClass;
  /** Of the answer, where there was one. */
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
