import { sizeLimitText } from '@notify/core';
import type { MediaType } from './media-types.ts';

const mebibyte = 1_048_576;

/** What every channel takes at most: the formats in words, their MIME types (`any`), and the size in MB. */
const limits: Readonly<
  Record<
    MediaType,
    {
      readonly what: string;
      readonly formats: string;
      readonly types: readonly string[] | 'any';
      readonly megabytes: number;
    }
  >
> = {
  image: {
    what: 'An image',
    formats: 'JPEG, PNG or WebP',
    types: ['image/jpeg', 'image/png', 'image/webp'],
    megabytes: 5,
  },
  video: {
    what: 'A video',
    formats: 'MP4 or 3GP',
    types: ['video/mp4', 'video/3gpp', 'video/3gpp2'],
    megabytes: 16,
  },
  audio: {
    what: 'An audio file',
    formats: 'MP3, OGG or AAC',
    types: ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/mp4', 'audio/x-m4a'],
    megabytes: 16,
  },
  document: { what: 'A document', formats: 'PDF, DOCX, XLSX and others', types: 'any', megabytes: 100 },
};

/** The formats and the size that a file of that type may have, as a sentence. An upload may have `maxFileBytes` at most. */
export function limitOf(type: MediaType, maxFileBytes = Infinity): string {
  return `${limits[type].formats}, at most ${sizeLimitText(mostBytes(type, maxFileBytes))}.`;
}

function mostBytes(type: MediaType, maxFileBytes: number): number {
  return Math.min(limits[type].megabytes * mebibyte, maxFileBytes);
}

/** What a file chooser offers for that type, as the `accept` of an input. Undefined: every file. */
export function acceptOf(type: MediaType): string | undefined {
  const { types } = limits[type];
  return types === 'any' ? undefined : types.join(',');
}

/**
 * Why a file cannot be uploaded and sent as that type, as far as the browser knows it; null if nothing is known. The api looks at its bytes.
 */
export function fileFault(
  { type: mimeType, size }: Pick<File, 'type' | 'size'>,
  type: MediaType,
  maxFileBytes: number,
): string | null {
  const { what, formats, types } = limits[type];
  const most = mostBytes(type, maxFileBytes);
  if (size === 0) return 'This file is empty.';
  if (types !== 'any' && mimeType !== '' && !types.includes(mimeType))
    return `${what} must be ${formats}. This file is ${mimeType}.`;
  if (size <= most) return null;
  return `${what} may have at most ${sizeLimitText(most)}. This file has ${inMegabytes(size)}.`;
}

/** The number of bytes in MB, rounded up to a tenth, so that nothing above a limit reads as the limit. */
export function inMegabytes(bytes: number): string {
  return `${(Math.ceil((bytes / mebibyte) * 10) / 10).toFixed(1)} MB`;
}
