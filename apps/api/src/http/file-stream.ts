import Type from 'typebox';
import { addHeader, replaceHeader } from './answer.ts';
import { attachment } from './content-disposition.ts';
import { drained } from './event-stream.ts';
import type { Exchange } from './exchange.ts';

/** A file on its way to a client. */
export interface FileAnswer {
  /** The name to save it under. */
  readonly filename: string;
  /** As its origin says. Null if it does not. */
  readonly mimeType: string | null;
  /** Its exact length. Null if the origin does not tell. */
  readonly bytes: number | null;
  /** Read once. Throws if the file breaks off, and has `bytes` bytes otherwise. Ends when the client is gone. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The response schema of a route that answers a file. */
export const FileStream = Type.Unsafe<FileAnswer>({});

/** Types that no browser takes for a page or a script, even if it ignores the other headers. */
const harmless: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'video/mp4',
  'video/3gpp',
  'video/quicktime',
  'video/webm',
  'audio/aac',
  'audio/amr',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'application/pdf',
  'application/zip',
  'text/plain',
]);

/** The type to answer a file with: what its origin says, if that is harmless. */
export function shownType(mimeType: string | null): string {
  const essence = (mimeType ?? '').split(';')[0]!.trim().toLowerCase();
  return harmless.has(essence) ? essence : 'application/octet-stream';
}

/**
 * Sends a file that a stranger made, at the pace of the client's reading. Browsers save it and never run it. Throws if
 * the file breaks off. By then the headers have left, so the caller must destroy the connection: a file that is not whole
 * must not look whole.
 */
export async function sendFile(
  exchange: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  { filename, mimeType, bytes, content }: FileAnswer,
): Promise<void> {
  const { response, headers } = exchange;
  addHeader(exchange, 'Content-Type', shownType(mimeType));
  addHeader(exchange, 'Content-Disposition', attachment(filename));
  replaceHeader(exchange, 'X-Content-Type-Options', 'nosniff');
  replaceHeader(exchange, 'Content-Security-Policy', "sandbox; default-src 'none'");
  replaceHeader(exchange, 'Cache-Control', 'private, no-store');
  if (bytes !== null) addHeader(exchange, 'Content-Length', String(bytes));
  response.writeHead(status, headers).flushHeaders();
  for await (const chunk of content) {
    response.write(chunk);
    if (response.writableNeedDrain && !response.closed) await drained(response);
    if (response.closed) return;
  }
  response.end();
}
