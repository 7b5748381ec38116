import type { HttpClient, HttpRequest, HttpStream } from '@notify/egress';
import type { SendContext } from '../adapter/channel.ts';
import type { OpenedFile } from '../adapter/inbound.ts';

/** The limits of reading the file of an inbound message. */
export const fileLimits = { maxBytes: 100 * 1_024 * 1_024, idleMs: 10_000, deadlineMs: 120_000 } as const;

type Asked = Pick<HttpRequest, 'url' | 'headers'>;
type Context = Pick<SendContext<unknown>, 'http' | 'signal'>;

/** Asks for a file. Its bytes come at the pace of the reader. */
export function requestFile(asked: Asked, { http, signal }: Context): ReturnType<HttpClient['stream']> {
  return http.stream({ method: 'GET', ...asked, ...fileLimits, signal });
}

type Answer = Extract<HttpStream, { ok: true }>;

/** The file of a successful answer. `mimeType` and `bytes` are what the provider said before, if anything. */
export function fileOf(answer: Answer, said: { mimeType: string | null; bytes: number | null }): OpenedFile {
  const { 'content-type': type, 'content-length': length } = answer.headers;
  const bytes = length !== undefined && /^\d{1,12}$/.test(length) ? Number(length) : said.bytes;
  return { kind: 'file', mimeType: said.mimeType ?? type ?? null, bytes, content: answer.body };
}

/** Closes an answer whose body nobody reads. */
export async function discard(answer: Answer): Promise<void> {
  await answer.body[Symbol.asyncIterator]().return?.();
}

/** What an answer without a file means: 404 and 410 say that the provider no longer has it. */
export async function withoutFile(result: HttpStream): Promise<OpenedFile> {
  if (!result.ok) return { kind: 'unavailable', detail: `The provider cannot be reached: ${result.error}.` };
  await discard(result);
  return result.status === 404 || result.status === 410
    ? { kind: 'expired', detail: 'The provider no longer has the file.' }
    : { kind: 'unavailable', detail: `The provider answered ${result.status}.` };
}
