import { Readable } from 'node:stream';
import { type Media, type MediaType, refuseTemplate, type SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { AnyMessageContent } from '@whiskeysockets/baileys';

/**
 * The content that Baileys sends. A file is fetched by our guarded client, never by Baileys from its URL. Baileys makes
 * no preview of it, because that would decode strangers' images and run ffmpeg on their videos in this process.
 */
export async function contentOf(request: SendRequest): Promise<AnyMessageContent | Outcome> {
  const { body, media } = request;
  if ('template' in body) return refuseTemplate('A linked device');
  if ('interactive' in body)
    throw new Error('a linked device sends no buttons; dispatch makes a text of them');
  if (!('type' in body)) return { text: request.text ?? body.text };
  if (media === null) throw new Error('a media message without its file');
  const file = await media.download();
  if ('kind' in file) return file;
  return fileContent(body.type, media, { stream: Readable.from(file.open()) });
}

function fileContent(
  type: MediaType,
  { mimeType: mimetype, caption: given, filename }: Media,
  file: { stream: Readable },
): AnyMessageContent {
  const caption = given === null ? {} : { caption: given };
  switch (type) {
    case 'image':
      return { image: file, mimetype, jpegThumbnail: '', ...caption };
    case 'video':
      return { video: file, mimetype, jpegThumbnail: '', ...caption };
    case 'audio':
      return { audio: file, mimetype, seconds: 0 };
    case 'document':
      return { document: file, mimetype, fileName: filename ?? 'file', ...caption };
  }
}
