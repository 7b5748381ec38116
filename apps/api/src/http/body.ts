import type { IncomingMessage } from 'node:http';
import { exceededJsonLimit } from '@notify/core';
import { invalidRequest, Problem } from './problem.ts';
import { maxValues, tooManyValues } from './unstorable.ts';

/** Keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** The longest body that is taken where the route says nothing else. */
const defaultMaxBytes = 1_048_576;
/** The longest body of somebody who has shown no credential: thousands may send theirs slowly at the same time. */
export const strangersMaxBytes = 16_384;
/** What escapes do not add to a body: a bulk call of 100 texts of 4096 characters has 1.6 MB of it, spelled in up to 5 MB. */
const maxContentBytes = 2 * defaultMaxBytes;
/** How much of a body that is too large is read and thrown away, so that the client gets to see its answer. */
const maxDiscardedBytes = 16 * defaultMaxBytes;
/** How long a client that sends more than that may go on while it reads its answer (RFC 9112, 9.6), in ms. */
const lingerMs = 2_000;

/**
 * The JSON of a request; undefined when it has no body. Throws the problem that says what is wrong with it. A body of more
 * values than any request has is refused before it is parsed.
 */
export async function readJson(request: IncomingMessage, maxBytes?: number): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!isJson(request)) throw new Problem('unsupported-media-type');
  const bytes = await readBytes(request, maxBytes);
  demandParsable(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new Problem('malformed-json', { cause: error });
  }
}

/** Refuses what would cost more to parse and to check than any request is worth. */
function demandParsable(bytes: Buffer): void {
  const exceeded = exceededJsonLimit(bytes, { values: maxValues, contentBytes: maxContentBytes });
  if (exceeded === 'values') throw invalidRequest(tooManyValues('body'));
  if (exceeded === 'contentBytes')
    throw new Problem('too-large', {
      detail: 'Without the overhead of escape sequences, a body may have 2 MB.',
    });
}

/**
 * The bytes of a request, whatever they are. Throws `too-large` above `maxBytes`, once the client has sent all of it, for
 * one that closes its connection after each request would otherwise be cut off before it reads the answer; or once it has
 * sent so much that it is answered at once and its connection closed.
 */
export async function readBytes(request: IncomingMessage, maxBytes = defaultMaxBytes): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let cutOff: NodeJS.Timeout | undefined;
    const giveUp = (): void => {
      if (cutOff !== undefined) return;
      cutOff = setTimeout(() => request.destroy(), lingerMs);
      reject(new Problem('too-large'));
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else if (size > maxDiscardedBytes) giveUp();
    });
    request.on('end', () => {
      if (size <= maxBytes) resolve(Buffer.concat(chunks));
      else reject(new Problem('too-large'));
    });
    request.on('error', reject);
    request.on('close', () => {
      clearTimeout(cutOff);
      if (request.readableEnded) return; // as most do; making a Problem takes a stack trace
      reject(new Problem('malformed-json', { detail: 'The body is incomplete.' }));
    });
    if (declared > maxDiscardedBytes) giveUp();
  });
}

/** RFC 9112, 6.3: a request has a body when one of these says so. */
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
