import type { StreamedAnswer } from '../exchange/answer-stream.ts';
import { MediaError } from './media-error.ts';

type Head = Pick<StreamedAnswer, 'status' | 'headers'>;

/** A header as one text. */
export function headerOf({ headers }: Head, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** Throws a `MediaError` and closes the connection unless the answer is the plain file from its beginning. */
export function demandFile(answer: StreamedAnswer, statuses: readonly number[]): void {
  const problem = problemOf(answer, statuses);
  if (problem === null) return;
  answer.body.destroy();
  throw problem;
}

function problemOf(answer: Head, statuses: readonly number[]): MediaError | null {
  const { status } = answer;
  if (!statuses.includes(status))
    return new MediaError('http-status', `the server answers with HTTP ${status}`, { status });
  const coding = (headerOf(answer, 'content-encoding') ?? 'identity').toLowerCase();
  if (coding !== 'identity')
    return new MediaError('coding', 'the server encodes the file though it was asked not to', { status });
  if (status === 206 && rangeOf(answer)?.first !== 0)
    return new MediaError('protocol', 'the server answers with another range than it was asked for');
  return null;
}

/** Whether the answer says that the file is empty: an empty file has no range (RFC 9110, section 15.5.17). */
export function isEmpty(answer: StreamedAnswer): boolean {
  const empty = answer.status === 416 && /^bytes \*\/0$/.test(headerOf(answer, 'content-range') ?? '');
  if (empty) answer.body.destroy();
  return empty;
}

/** The length of the whole file, from `Content-Range` or `Content-Length`; null if neither says. */
export function lengthOf(answer: Head): number | null {
  if (answer.status === 206) return rangeOf(answer)?.total ?? null;
  return numberOf(headerOf(answer, 'content-length') ?? '');
}

/**
 * The first bytes of the body, at most `count`, and whether they are known to be the whole body. The rest is not read.
 */
export async function beginningOf(
  { body }: StreamedAnswer,
  count: number,
): Promise<{ head: Buffer; ended: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= count) break;
  }
  return { head: Buffer.concat(chunks).subarray(0, count), ended: bytes < count };
}

function rangeOf(answer: Head): { first: number; total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headerOf(answer, 'content-range') ?? '');
  return match === null ? null : { first: Number(match[1]), total: numberOf(match[2]!) };
}

function numberOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
