import { createHash } from 'node:crypto';
import type { Refusal } from './chats.ts';

/** A file that Telegram received. It is counted and hashed on arrival, and never kept. */
export interface SentFile {
  readonly by: 'url' | 'upload';
  readonly bytes: number;
  readonly sha256: string;
  readonly mimeType: string;
  readonly filename: string;
}

/** A file that is arriving. */
export interface IncomingFile extends Omit<SentFile, 'by' | 'sha256' | 'bytes'> {
  readonly bytes: number;
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
}

/** The methods that send a file, and their limits in MB (Bot API, "Sending files"). */
export const fileMethods = {
  sendPhoto: { parameter: 'photo', fetches: 5, uploads: 10, types: ['image/'] },
  sendVideo: { parameter: 'video', fetches: 20, uploads: 50, types: ['video/'] },
  sendAudio: { parameter: 'audio', fetches: 20, uploads: 50, types: ['audio/'] },
  sendDocument: {
    parameter: 'document',
    fetches: 20,
    uploads: 50,
    types: ['application/pdf', 'application/zip', 'image/gif'],
  },
} as const;

export type FileMethodName = keyof typeof fileMethods;

const megabyte = 1_048_576;
const headBytes = 12;

/** Reads a stream to its end, or until it exceeds `maxBytes`. */
export async function weigh(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<Pick<IncomingFile, 'bytes' | 'sha256' | 'head'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes += chunk.length;
    hash.update(chunk);
    if (head.length < headBytes) head = Buffer.concat([head, chunk]).subarray(0, headBytes);
    if (bytes > maxBytes) break;
  }
  return { bytes, head, sha256: hash.digest('hex') };
}

/** Fetches a file as Telegram does. Any fault becomes one of three vague refusals. */
export async function fetchFile(url: string, method: FileMethodName): Promise<SentFile | Refusal> {
  const { fetches, types } = fileMethods[method];
  if (!/^https?:\/\//.test(url)) return refused('wrong file identifier/HTTP URL specified');
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok !== true || answer.body === null) return refused('failed to get HTTP URL content');
  const mimeType = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (!types.some((type) => mimeType.startsWith(type))) {
    await answer.body.cancel();
    return refused('wrong type of the web page content');
  }
  const { bytes, sha256 } = await weigh(answer.body, fetches * megabyte);
  if (bytes > fetches * megabyte) return refused('failed to get HTTP URL content');
  return { by: 'url', bytes, sha256, mimeType, filename: new URL(url).pathname.split('/').at(-1) ?? '' };
}

/** Takes an upload, or refuses it for its size. A photo is also refused if it is no image. */
export function takeUpload(file: IncomingFile, method: FileMethodName): SentFile | Refusal {
  const { bytes, sha256, mimeType, filename, head } = file;
  const { uploads } = fileMethods[method];
  if (bytes === 0) return refused('file must be non-empty');
  if (bytes > 50 * megabyte) return { code: 413, description: 'Request Entity Too Large' };
  if (bytes > uploads * megabyte) {
    return refused(
      `file of size ${bytes} bytes is too big for a photo; the maximum size is ${uploads * megabyte} bytes`,
    );
  }
  if (method === 'sendPhoto' && !isPicture(head)) return refused('IMAGE_PROCESS_FAILED');
  return { by: 'upload', bytes, sha256, mimeType, filename };
}

function isPicture(head: Buffer): boolean {
  const hex = head.toString('hex');
  return hex.startsWith('ffd8ff') || hex.startsWith('89504e47') || /^52494646.{8}57454250/.test(hex);
}

function refused(why: string): Refusal {
  return { code: 400, description: `Bad Request: ${why}` };
}
