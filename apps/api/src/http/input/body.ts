import type { IncomingMessage } from 'node:http';
import { exceededJsonLimit } from '@notify/core';
import { freePlace, type Place, tooMuch } from '../../admission/admission.ts';
import { invalidRequest, Problem } from '../../problems/problem.ts';
import { maxValues, tooManyValues } from './unstorable.ts';

/** One decoder for all bodies. It keeps no state between them. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** The default limit of a body. */
const defaultMaxBytes = 1_048_576;
/** The limit of a body without a credential. Thousands of strangers may send theirs slowly at the same time. */
export const strangersMaxBytes = 16_384;
/**
 * The limit of a body without the bytes that escapes add. A bulk call of 100 texts of 4096 characters has 1.6 MB of
 * content, spelled in up to 5 MB.
 */
const maxContentBytes = 2 * defaultMaxBytes;
/** How much of an oversized body is read and thrown away, so that the client reads its answer. */
const maxDiscardedBytes = 16 * defaultMaxBytes;
/** How long a client that sends even more may go on while it reads its answer (RFC 9112, 9.6), in ms. */
const lingerMs = 2_000;

/**
 * The JSON of a request, or undefined if it has no body. Throws the problem that names the fault. A body with more
 * values than any valid request is refused before it is parsed. A request whose body is on its way leaves its place.
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes?: number,
  place: Pick<Place, 'away' | 'hold'> = freePlace,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!isJson(request)) throw new Problem('unsupported-media-type');
  const bytes = await readInPlace(request, maxBytes, place);
  demandParsable(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new Problem('malformed-json', { cause: error });
  }
}

/** The bytes of a request. Most bodies have arrived with their head, so the place is kept. */
export function readInPlace(
  request: IncomingMessage,
  maxBytes: number | undefined,
  place: Pick<Place, 'away' | 'hold'>,
): Promise<Buffer> {
  const read = (): Promise<Buffer> => readBytes(request, maxBytes, place);
  return request.complete ? read() : place.away(read);
}

/** Refuses a body that costs more to parse and check than any valid request. */
function demandParsable(bytes: Buffer): void {
  const exceeded = exceededJsonLimit(bytes, { values: maxValues, contentBytes: maxContentBytes });
  if (exceeded === 'values') throw invalidRequest(tooManyValues('body'));
  if (exceeded === 'contentBytes')
    throw new Problem('too-large', {
      detail: 'Without the overhead of escape sequences, a body may have 2 MB.',
    });
}

/**
 * The bytes of a request. Throws `too-large` above `maxBytes`, usually after the client has sent everything: a client
 * that closes its connection after each request would otherwise be cut off before it reads the answer. A client that
 * sends far too much is answered at once, and its connection closed. Throws `unavailable` if the process holds too many
 * large bodies already.
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes = defaultMaxBytes,
  place: Pick<Place, 'hold'> = freePlace,
): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  const declared = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    let heldBytes = 0;
    let cutOff: NodeJS.Timeout | undefined;
    /** Small bodies are not counted: thousands of them take less than a few large ones. */
    const mayHold = (): boolean => {
      const more = size > strangersMaxBytes ? size - heldBytes : 0;
      if (more > 0 && !place.hold(more)) return false;
      heldBytes += more;
      return true;
    };
    const giveUp = (): void => {
      if (cutOff !== undefined) return;
      cutOff = setTimeout(() => request.destroy(), lingerMs);
      reject(new Problem('too-large'));
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (isRefused) return;
      if (size <= maxBytes && mayHold()) chunks.push(chunk);
      else if (size <= maxBytes) {
        isRefused = true;
        chunks.length = 0;
        reject(tooMuch());
      } else if (size > maxDiscardedBytes) giveUp();
    });
    request.on('end', () => {
      if (size <= maxBytes) resolve(Buffer.concat(chunks));
      else reject(new Problem('too-large'));
    });
    request.on('error', reject);
    request.on('close', () => {
      clearTimeout(cutOff);
      if (request.readableEnded) return; // the usual case, spared the cost of a Problem's stack trace
      reject(new Problem('malformed-json', { detail: 'The body is incomplete.' }));
    });
    if (declared > maxDiscardedBytes) giveUp();
  });
}

/** A request has a body if it has one of these headers (RFC 9112, 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson({ headers }: IncomingMessage): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const plain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity';
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return type.trim() === 'application/json' && utf8 && plain;
}
