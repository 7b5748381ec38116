import { createHash, createHmac } from 'node:crypto';
import { aesDecryptWithIV, getMediaKeys, type MediaType, type proto } from '@whiskeysockets/baileys';
import type { MediaEntry, MessageEntry } from '../log.ts';
import type { MediaHost } from './media-host.ts';

/** The content of a message. */
export type Content = Pick<MessageEntry, 'kind' | 'text' | 'media' | 'answers'>;

/** The common fields of the four kinds of attachments. */
interface Attachment {
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
  readonly fileLength?: unknown;
  readonly mimetype?: string | null;
  readonly caption?: string | null;
  readonly fileName?: string | null;
  readonly contextInfo?: proto.IContextInfo | null;
}

/**
 * Reads a decrypted message as a phone would. Attachments are downloaded, checked and decrypted. Throws if one is bad.
 */
export async function contentOf(message: proto.IMessage, host: MediaHost): Promise<Content> {
  const inner = message.documentWithCaptionMessage?.message ?? message;
  const text = inner.conversation ?? inner.extendedTextMessage?.text;
  if (text !== null && text !== undefined)
    return { kind: 'text', text, media: null, answers: answersOf(inner.extendedTextMessage?.contextInfo) };
  if (inner.imageMessage) return attached('image', inner.imageMessage, host);
  if (inner.videoMessage) return attached('video', inner.videoMessage, host);
  if (inner.audioMessage) return attached('audio', inner.audioMessage, host);
  if (inner.documentMessage) return attached('document', inner.documentMessage, host);
  return { kind: 'other', text: null, media: null, answers: null };
}

async function attached(
  kind: MediaType & Content['kind'],
  attachment: Attachment,
  host: MediaHost,
): Promise<Content> {
  const media = await download(kind, attachment, host);
  return { kind, text: attachment.caption ?? null, media, answers: answersOf(attachment.contextInfo) };
}

function answersOf(context: proto.IContextInfo | null | undefined): Content['answers'] {
  const { stanzaId, participant, quotedMessage } = context ?? {};
  if (!stanzaId) return null;
  return { id: stanzaId, of: participant ?? '', text: quotedMessage?.conversation ?? '' };
}

/** The file is the ciphertext, followed by ten bytes of its HMAC under the media key. */
async function download(kind: MediaType, attachment: Attachment, host: MediaHost): Promise<MediaEntry> {
  const file = host.file(attachment.directPath ?? '');
  if (file === null) throw new Error(`nothing was uploaded to ${attachment.directPath}`);
  const { iv, cipherKey, macKey } = await getMediaKeys(attachment.mediaKey ?? null, kind);
  const [sealed, mac] = [file.subarray(0, -10), file.subarray(-10)];
  const ownMac = createHmac('sha256', required(macKey)).update(iv).update(sealed).digest().subarray(0, 10);
  if (!sha256(file).equals(required(attachment.fileEncSha256)))
    throw new Error('the upload has another hash');
  if (!mac.equals(ownMac)) throw new Error('the upload has another MAC');
  const plain = aesDecryptWithIV(sealed, cipherKey, iv);
  if (!sha256(plain).equals(required(attachment.fileSha256))) throw new Error('the file has another hash');
  if (plain.length !== Number(attachment.fileLength)) throw new Error('the file has another length');
  const { mimetype = null, fileName = null } = attachment;
  return { mimetype, fileName, bytes: plain.length, sha256: sha256(plain).toString('hex') };
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function required(field: Uint8Array | null | undefined): Uint8Array {
  if (field === null || field === undefined) throw new Error('the attachment lacks a field');
  return field;
}
