import type { MessageDetails } from '@notify/sdk';

type File = Pick<
  Extract<MessageDetails['body'], { mimeType: string | null }>,
  'type' | 'filename' | 'mimeType'
>;

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/aac': '.aac',
  'application/pdf': '.pdf',
  'text/plain': '.txt',
};

/** The name under which a file is saved: its own, else one made of its kind and its message. */
export function downloadName(
  { type, filename, mimeType }: File,
  messageId: string,
  sentType: string,
): string {
  if (filename !== null && filename !== '') return filename;
  const ending = endings[plainType(mimeType ?? sentType)] ?? '';
  return `${type}-${messageId.replace(/^msg_/, '').slice(-12)}${ending}`;
}

/** Whether browsers draw files of that type. SVG is left out: it can hold more than a picture. */
export function isPicture(mimeType: string): boolean {
  return ['image/jpeg', 'image/png', 'image/webp', 'image/gif'].includes(plainType(mimeType));
}

/** Without parameters, such as that of a codec. */
function plainType(mimeType: string): string {
  return mimeType.split(';')[0]!.trim().toLowerCase();
}
