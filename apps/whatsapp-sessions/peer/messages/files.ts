import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { getMediaKeys, type MediaType, type proto } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';

/** A file that a person attaches. */
export interface FileOrder {
  readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** The file in base64, or … */
  readonly content?: string;
  /** … the number of bytes of one, all of them 7. */
  readonly length?: number;
  readonly mimetype?: string;
  readonly caption?: string;
  readonly fileName?: string;
  /** It differs from what the sender has sealed. */
  readonly changed?: boolean;
}

/** A file on the media host. */
export interface Uploaded {
  readonly directPath: string;
  readonly mediaKey: Buffer;
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
  readonly fileLength: number;
}

/** Uploads a file, encrypted as media is: the file is the ciphertext, followed by ten bytes of its HMAC. */
export async function upload(peer: Peer, plain: Buffer, type: MediaType, changed = false): Promise<Uploaded> {
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type);
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac('sha256', macKey!).update(iv).update(sealed).digest().subarray(0, 10);
  if (changed) mac.writeUInt8(mac.readUInt8(0) ^ 1, 0);
  const file = Buffer.concat([sealed, mac]);
  const directPath = `/mms/${type}/${randomBytes(8).toString('hex')}`;
  peer.media.keep(directPath, file);
  const [fileSha256, fileEncSha256] = [sha256(plain), sha256(file)];
  return { directPath, mediaKey, fileSha256, fileEncSha256, fileLength: plain.length };
}

/** A message with a file that is uploaded first. */
export async function messageWithFile(
  peer: Peer,
  order: FileOrder,
  answering: object,
): Promise<proto.IMessage> {
  const { kind, content, length = 0, mimetype, caption, fileName, changed } = order;
  const plain = content === undefined ? Buffer.alloc(length, 7) : Buffer.from(content, 'base64');
  const uploaded = await upload(peer, plain, kind, changed);
  const shown = { mimetype: mimetype ?? null, caption: caption ?? null, fileName: fileName ?? null };
  const file = { ...uploaded, ...answering, ...shown };
  if (kind !== 'document' || caption === undefined) return { [`${kind}Message`]: file };
  return { documentWithCaptionMessage: { message: { documentMessage: file } } };
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
