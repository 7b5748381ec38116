import type { Outcome } from '@notify/core';
import type { Adapter, MediaRule, MediaType } from '../adapter/channel.ts';

type Rejected = Extract<Outcome, { kind: 'rejected' }>;

/** Limits are in binary megabytes, as the providers count them. */
const megabyte = 1_048_576;

/** The interface's limits for each media type, independent of the provider. */
export const mediaLimits: Readonly<Record<MediaType, Omit<MediaRule, 'caption'>>> = {
  image: { maxBytes: 5 * megabyte, mimeTypes: ['image/jpeg', 'image/png', 'image/webp'] },
  video: { maxBytes: 16 * megabyte, mimeTypes: ['video/mp4', 'video/3gpp', 'video/3gpp2'] },
  // M4A, which is AAC in an MP4 container, is accepted because it holds AAC.
  audio: { maxBytes: 16 * megabyte, mimeTypes: ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/mp4'] },
  document: { maxBytes: 100 * megabyte, mimeTypes: 'any' },
};

/** The common names of the formats. */
const formatNames: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'video/mp4': 'MP4',
  'video/3gpp': '3GP',
  'video/3gpp2': '3G2',
  'audio/mpeg': 'MP3',
  'audio/ogg': 'OGG',
  'audio/ogg; codecs=opus': 'OGG with Opus',
  'audio/aac': 'AAC',
  'audio/mp4': 'M4A',
};

const articles: Readonly<Record<MediaType, string>> = {
  image: 'An image',
  video: 'A video',
  audio: 'An audio file',
  document: 'A document',
};

/** The known facts about a file. `bytes` is null if the server does not tell; `mimeType` was sniffed. */
export interface MediaFacts {
  readonly bytes: number | null;
  readonly mimeType: string;
}

/**
 * Checks a file against the interface's limits, then against the provider's. Returns null if it may be sent, else the
 * reason and which limit it breaks.
 */
export function judgeMedia(
  type: MediaType,
  file: MediaFacts,
  caption: string | null,
  { name, media }: Pick<Adapter, 'name' | 'media'>,
): Rejected | null {
  if (file.bytes === 0) return reject('media-type-not-supported', 'The file is empty.');
  const rule = media?.[type];
  const ours = mediaLimits[type];
  return (
    judgeFormat(type, file, ours.mimeTypes, 'this service') ??
    judgeSize(type, file, ours.maxBytes, 'this service') ??
    (rule === undefined
      ? reject('media-type-not-supported', `${name} takes no ${type}.`)
      : judgeByRule(type, file, caption, name, rule))
  );
}

function judgeByRule(
  type: MediaType,
  file: MediaFacts,
  caption: string | null,
  name: string,
  rule: MediaRule,
): Rejected | null {
  const judged = judgeFormat(type, file, rule.mimeTypes, name) ?? judgeSize(type, file, rule.maxBytes, name);
  if (judged !== null || rule.caption || (caption ?? '') === '') return judged;
  return reject('media-caption-not-supported', `${articles[type]} has no caption on ${name}.`);
}

function judgeFormat(
  type: MediaType,
  { mimeType }: MediaFacts,
  allowed: MediaRule['mimeTypes'],
  whose: string,
): Rejected | null {
  const plain = mimeType.split(';')[0]!;
  if (allowed === 'any' || allowed.includes(mimeType) || allowed.includes(plain)) return null;
  const names = allowed.map((one) => formatNames[one]).filter((one) => one !== undefined);
  const must = [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part !== '').join(' or ');
  const text = `${articles[type]} must be ${must} for ${whose}; the file is ${mimeType}.`;
  return reject('media-type-not-supported', text);
}

function judgeSize(type: MediaType, { bytes }: MediaFacts, maxBytes: number, whose: string): Rejected | null {
  if (bytes === null || bytes <= maxBytes) return null;
  const text = `${articles[type]} may have at most ${maxBytes / megabyte} MB for ${whose}; the file has ${bytes} bytes.`;
  return reject('media-too-large', text);
}

function reject(errorCode: string, text: string): Rejected {
  return { kind: 'rejected', errorCode, text };
}
