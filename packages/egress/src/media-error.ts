import type { MediaErrorClass } from './media-client.ts';

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
