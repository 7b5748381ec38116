import type { FileFailure } from '@notify/db/files';
import type { HttpClient } from '@notify/egress';
import type { FilePlace } from '../inbound/content.ts';
import { openSealed } from './open-sealed.ts';

export interface FetchDeps {
  readonly http: Pick<HttpClient, 'stream'>;
  /** The server of files, without a trailing slash. */
  readonly mediaUrl: string;
}

/** The open file. Throws if it breaks off, is too long, or is not what its sender sealed. */
export type FetchedFile = { readonly kind: 'file'; readonly content: AsyncIterable<Buffer> } | FileFailure;

const maxBytes = 100 * 1_048_576;
/** What sealing adds to a file: up to a block of padding, and the HMAC. */
const sealBytes = 26;
const idleMs = 10_000;
const deadlineMs = 120_000;
/** The headers that Baileys sends when it downloads media. */
const headers = { origin: 'https://web.whatsapp.com' };
/** The server no longer has the file, or no longer gives it to anybody with this address. */
const gone = [403, 404, 410];

/** Fetches a file from WhatsApp's server and opens it, as it arrives. */
export async function fetchFile(
  { kind, path, mediaKey, sha256 }: FilePlace,
  { http, mediaUrl }: FetchDeps,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const longest = maxBytes + sealBytes;
  const answer = await http.stream({
    method: 'GET',
    url: mediaUrl + path,
    headers,
    deadlineMs,
    idleMs,
    maxBytes: longest,
    signal,
  });
  if (!answer.ok) return { kind: 'unavailable', detail: `WhatsApp's file server: ${answer.text}` };
  if (answer.status === 200)
    return { kind: 'file', content: openSealed(answer.body, { kind, mediaKey, sha256, maxBytes: longest }) };
  await answer.body[Symbol.asyncIterator]().return?.();
  return gone.includes(answer.status)
    ? { kind: 'expired', detail: 'WhatsApp no longer has the file.' }
    : { kind: 'unavailable', detail: `WhatsApp's file server answered ${answer.status}.` };
}
