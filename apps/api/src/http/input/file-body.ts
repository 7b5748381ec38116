import type { IncomingMessage } from 'node:http';
import { sizeLimitText } from '@notify/core';
import Type from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { allowSlowBody } from '../arrival.ts';
import { type ArrivingFile, checkedName, cutOff } from './arriving-file.ts';
import { filenameIn } from './disposition.ts';
import { fileOfForm } from './form-file.ts';

/** The body of a request that is a file. */
export interface FileUpload {
  /**
   * Hands out the file, once. If `take` fails, the rest of the request is thrown away, so that the client reads its answer.
   * It may come slowly: its caller holds a place. Throws `too-large` for a declared length above `maxBytes`, before anything is read.
   */
  receive<T>(maxBytes: number, take: (file: ArrivingFile) => Promise<T>): Promise<T>;
}

/** The body schema of a route that takes a file: as it is, or as the field `file` of a form. */
export const FileBody = Type.Unsafe<FileUpload>({});

/** How much longer a form may be than its file, in bytes. */
const formBytes = 16_384;
/** How long a refused client may go on while it reads its answer (RFC 9112, 9.6), in ms. */
const lingerMs = 2_000;

/** The file of a request, still to be read. */
export function fileBodyOf(request: IncomingMessage): FileUpload {
  return {
    async receive(maxBytes, take) {
      allowSlowBody(request);
      try {
        demandPlain(request);
        const isForm = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
        const declared = Number(request.headers['content-length'] ?? 0);
        if (declared > maxBytes + (isForm ? formBytes : 0)) throw tooLarge(maxBytes);
        return await take(isForm ? await fileOfForm(request) : plainFile(request));
      } catch (error) {
        discard(request);
        throw error;
      }
    },
  };
}

/** The refusal of a file with more bytes. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem('too-large', { detail: `A file may have at most ${sizeLimitText(maxBytes)}.` });
}

function plainFile(request: IncomingMessage): ArrivingFile {
  const { 'content-disposition': disposition, 'content-type': type } = request.headers;
  return {
    filename: checkedName(filenameIn(disposition ?? ''), 'header/content-disposition'),
    type: type?.split(';')[0]!.trim().toLowerCase() ?? null,
    typeAt: 'header/content-type',
    content: readAll(request),
  };
}

/** Leaves the connection open when reading ends early, because the answer goes out on it. */
async function* readAll(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw cutOff(error);
  }
  if (!request.complete) throw cutOff();
}

/** A file is stored as it is, so it must not be compressed for the way. */
function demandPlain({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity')
    throw new Problem('unsupported-media-type', { detail: 'A file must be sent without Content-Encoding.' });
}

function discard(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.on('error', () => undefined).resume();
  const end = setTimeout(() => request.destroy(), lingerMs);
  request.once('close', () => clearTimeout(end)).once('end', () => clearTimeout(end));
}
