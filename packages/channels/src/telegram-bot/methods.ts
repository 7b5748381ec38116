import type { Media, MediaType } from '../adapter/channel.ts';

/** Telegram's server counts its limits in binary megabytes. */
const megabyte = 1_048_576;

/** A method that sends one kind of file. Limits and formats: Bot API, "Sending files" and each method. */
export interface FileMethod {
  readonly name: 'sendPhoto' | 'sendVideo' | 'sendAudio' | 'sendDocument';
  /** The parameter that takes the file or its URL. */
  readonly parameter: 'photo' | 'video' | 'audio' | 'document';
  /** The largest file Telegram fetches by URL, and the largest it accepts as an upload. */
  readonly maxFetchedBytes: number;
  readonly maxUploadedBytes: number;
  /** The MIME types it fetches by URL; null for everything the method takes. */
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
 * The method for a file. Files that Telegram's players cannot play (video other than MP4, audio other than MP3 and M4A)
 * are sent as documents, as its documentation says: they arrive as files, with their captions.
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

/** The largest file of each type, by URL or as an upload. */
export const maxBytes: Readonly<Record<MediaType, number>> = {
  image: photo.maxUploadedBytes,
  video: video.maxUploadedBytes,
  audio: audio.maxUploadedBytes,
  document: document.maxUploadedBytes,
};

/**
 * Whether Telegram should fetch the file itself. A custom file name and a file without an address require an upload. A file of unknown length is
 * tried by URL first, and uploaded if Telegram does not fetch it.
 */
export function isFetchable(
  { maxFetchedBytes, fetchedTypes }: FileMethod,
  media: Media,
): media is Media & { readonly url: string } {
  if (media.url === null) return false;
  if (fetchedTypes !== null && !fetchedTypes.includes(media.mimeType)) return false;
  if (media.filename !== null && media.filename !== nameInUrl(media.url)) return false;
  return media.bytes === null || media.bytes <= maxFetchedBytes;
}

/** The name that the recipient sees: the sender's, else the last part of the URL. */
export function filenameOf({ filename, url }: Media): string {
  return filename ?? nameInUrl(url) ?? 'file';
}

function nameInUrl(url: string | null): string | null {
  if (url === null) return null;
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last;
  }
}
