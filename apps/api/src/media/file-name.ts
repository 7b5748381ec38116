import type { FileRow } from '@notify/db/messages';

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

/** The name to save a file under: the sender's, or one made of its kind and its message. */
export function fileName({ id, body }: Pick<FileRow, 'id' | 'body'>, mimeType: string | null): string {
  if (body.filename !== null && body.filename.trim() !== '') return body.filename;
  const essence = (mimeType ?? '').split(';')[0]!.trim().toLowerCase();
  const ending = Object.hasOwn(endings, essence) ? `.${endings[essence]}` : '';
  return `${body.type}-${id}${ending}`;
}
