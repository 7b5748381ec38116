import type { Media, MediaType } from '../channel.ts';

/** Units of Telegram's limits: its server counts in binary megabytes. */
const megabyte = 1_048_576;

/** How Telegram takes one kind of file. Limits and formats: Bot API, "Sending files" and each method. */
export interface FileMethod {
  readonly name: 'sendPhoto' | 'sendVideo' | 'sendAudio' | 'sendDocument';
  /** The parameter that takes the file or its URL. */
  readonly parameter: 'photo' | 'video' | 'audio' | 'document';
  /** The largest file Telegram fetches by URL, and the largest it takes as an upload. */
  readonly maxFetchedBytes: number;
  readonly maxUploadedBytes: number;
  /** What it fetches by URL; null for everything the method takes. */
  readonly fetchedTypes: readonly string[] | null;
}

const general = {
  maxFetchedBytes: 20 * megabyte,
  maxUploadedBytes: 50 * megabyte,
  fetchedTypes: null,
} as const;

const photo: FileMethod = {
  name: 'sendPhoto',
  parameter: 'photo',
  maxFetchedBytes: 5 * megabyte,
  maxUploadedBytes: 10 * megabyte,
  fetchedTypes: null,
};
const video: FileMethod = { ...general, name: 'sendVideo', parameter: 'video' };
const audio: FileMethod = { ...general, name: 'sendAudio', parameter: 'audio' };
const document: FileMethod = {
  ...general,
  name: 'sendDocument',
  parameter: 'document',
  fetchedTypes: ['application/pdf', 'application/zip', 'image/gif'],
};

/**
 * The method for a file. What Telegram's players do not play (video that is not MP4, audio that is neither MP3 nor M4A)
 * goes as a document, as its documentation says: it arrives as a file, with its caption.
 */
export function methodFor(type: MediaType, mimeType: string): FileMethod {
  switch (type) {
    case 'image':
      return photo;
    case 'video':
      return mimeType === 'video/mp4' ? video : document;
    case 'audio':
      return ['audio/mpeg', 'audio/mp4', 'audio/x-m4a'].includes(mimeType) ? audio : document;
    case 'document':
      return document;
  }
}

/** The largest file of each type, whichever way it goes. */
export const maxBytes: Readonly<Record<MediaType, number>> = {
  image: photo.maxUploadedBytes,
  video: video.maxUploadedBytes,
  audio: audio.maxUploadedBytes,
  document: document.maxUploadedBytes,
};

/**
 * Whether Telegram is asked to fetch the file itself. A name of the file's own can only be given with an upload. A file
 * of unknown length is tried: what Telegram does not fetch is uploaded after all.
 */
export function isFetchable({ maxFetchedBytes, fetchedTypes }: FileMethod, media: Media): boolean {
  if (fetchedTypes !== null && !fetchedTypes.includes(media.mimeType)) return false;
  if (media.filename !== null && media.filename !== nameInUrl(media.url)) return false;
  return media.bytes === null || media.bytes <= maxFetchedBytes;
}

/** The name the recipient sees: the sender's, else the one in the URL. */
export function filenameOf({ filename, url }: Media): string {
  return filename ?? nameInUrl(url) ?? 'file';
}

function nameInUrl(url: string): string | null {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last;
  }
}
