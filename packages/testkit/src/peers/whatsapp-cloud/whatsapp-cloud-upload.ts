import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import busboy, { type FileInfo } from 'busboy';
import { CloudError } from './whatsapp-cloud-errors.ts';

/** A file that was uploaded to Meta. */
export interface CloudUpload {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly sha256: string;
}

type Uploaded = Omit<CloudUpload, 'id' | 'phoneNumberId'>;

/** Reads an upload as it streams in, and keeps only its size and hash. */
export async function readUpload(request: IncomingMessage): Promise<Uploaded> {
  const fields = new Map<string, string>();
  let uploaded: Uploaded | null = null;
  await new Promise<void>((resolve, reject) => {
    const form = busboy({ headers: request.headers, defParamCharset: 'utf8' });
    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (name, stream, info) => {
      const hash = createHash('sha256');
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      stream.on('end', () => {
        if (name === 'file') uploaded = toUpload(info, bytes, hash.digest('hex'));
      });
    });
    form.on('close', resolve).on('error', reject);
    request.on('error', reject).on('aborted', () => reject(new Error('The caller left.')));
    request.pipe(form);
  });
  return judge(fields, uploaded);
}

function toUpload({ filename, mimeType }: FileInfo, bytes: number, sha256: string): Uploaded {
  return { filename, mimeType, bytes, sha256 };
}

function judge(fields: ReadonlyMap<string, string>, uploaded: Uploaded | null): Uploaded {
  if (fields.get('messaging_product') !== 'whatsapp')
    throw new CloudError(100, 'messaging_product is required');
  if (uploaded === null) throw new CloudError(100, 'file is required');
  const mimeType = fields.get('type') ?? uploaded.mimeType;
  const kind = kindOf(mimeType);
  if (uploaded.bytes === 0 || uploaded.bytes > maxBytes[kind])
    throw new CloudError(131053, `too large for ${kind}`);
  return { ...uploaded, mimeType };
}

type Kind = keyof typeof maxBytes;

const megabyte = 1024 * 1024;
const maxBytes = {
  image: 5 * megabyte,
  video: 16 * megabyte,
  audio: 16 * megabyte,
  document: 100 * megabyte,
};

const kinds: Readonly<Record<string, Kind>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/x-m4a': 'audio',
  'audio/ogg; codecs=opus': 'audio',
};

/** The message type for such a file, besides a document. */
export function kindOf(mimeType: string): Kind {
  return kinds[mimeType] ?? 'document';
}
