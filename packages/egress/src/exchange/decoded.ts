import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressError } from '../errors.ts';

/** Content codings (RFC 9110, section 8.4.1) that a server may use although it was asked for none. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The body without its content coding. It is decoded piece by piece, as fast as it is read, so a small answer that
 * unfolds to a long one takes no memory. Returns null for a coding that is unknown. Destroying either end destroys the
 * other.
 */
export function decoded(body: Readable, coding: string): Readable | null {
  if (coding === '' || coding === 'identity') return body;
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]!() : null;
  // The reader of the decoder gets the error.
  return decoder && pipeline(body, decoder, () => undefined);
}

/** An error of a decoder as a failure of the exchange. */
export function decodingError(cause: Error): EgressError {
  return new EgressError('protocol', `the answer cannot be decompressed: ${cause.message}`, { cause });
}
