import { mediaLimits } from '@notify/channels';
import type { MediaContent } from '@notify/contract';
import {
  type Channel,
  type MediaType,
  type MessageBody,
  noUrl,
  parseId,
  sizeLimitText,
  type TelegramOptions,
} from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { AcceptItem } from '@notify/db/messages';
import { recallUpload, type Upload } from '@notify/db/uploads';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { judgeMediaUrl } from './media-url.ts';
import type { Send } from './send.ts';
import { withTelegram } from './telegram-options.ts';

/** Throws if the channel takes no files. `at`: the field to name, if there are several. */
export function demandMedia(channel: Channel, at?: string): void {
  if (channel !== 'sms') return;
  const errors = at === undefined ? [] : [{ at, message: 'is not possible on sms' }];
  throw new Problem('media-not-supported', { errors });
}

/** Who sends a file, and where its fields are in the request. */
export interface MediaPlace {
  readonly tenantId: string;
  /** Null if a session or a service token sends, which reach all files of their tenant. */
  readonly keyId: string | null;
  readonly channel: Channel;
  readonly telegram?: TelegramOptions | undefined;
  readonly at: string;
  /** The object with `telegram`. */
  readonly optionsAt: string;
}

/** The content of a message as it is stored, and as idempotency compares it if that differs. */
export type ContentOf = Pick<Send, 'body' | 'compared'>;

/** The content of a file that is known to be unsendable, for an item of a bulk call. */
export type BulkContent = ContentOf & Pick<AcceptItem, 'preFailed'>;

/**
 * The content of a file to send. Throws the Problem of a URL that is missing or malformed, and of an uploaded file that the sender does
 * not have or the channels do not take. The commit refuses a file that is gone, unless the send repeats an earlier one.
 */
export async function mediaContent(
  content: MediaContent,
  place: MediaPlace,
  deps: { readonly db: Db },
): Promise<ContentOf> {
  const { preFailed, ...made } = await bulkMediaContent(content, place, deps);
  if (preFailed === undefined) return made;
  const { errorCode, text } = preFailed;
  const at = `${place.at}/fileId`;
  if (errorCode !== 'file-not-found') throw invalidRequest({ at, message: text });
  throw new Problem('file-not-found', { errors: [{ at, message: text }] });
}

/** As `mediaContent`, for an item of a bulk call: notes why its uploaded file cannot be sent. */
export async function bulkMediaContent(
  content: MediaContent,
  place: MediaPlace,
  deps: { readonly db: Db },
): Promise<BulkContent> {
  const { type, url, fileId, caption = null, filename } = content;
  const { channel, telegram, at, optionsAt } = place;
  const withOptions = (body: Extract<MessageBody, { type: MediaType }>) =>
    withTelegram(body, { channel, telegram, at: optionsAt, textAt: `${at}/caption` });
  const named = filename !== undefined && filename.trim() !== '' ? { filename } : {};
  if (fileId === undefined) {
    demandUrl(url, at);
    return { body: withOptions({ type, url, caption, ...named }) };
  }
  if (url !== undefined)
    throw invalidRequest({ at: `${at}/fileId`, message: 'must not be given together with url' });
  const file = await fileOf(fileId, place, deps);
  if (file === null) {
    const preFailed = { errorCode: 'file-not-found', text: 'names no file' };
    return { body: withOptions({ type, url: noUrl, caption, ...named }), preFailed };
  }
  const ownName = file.filename === null ? {} : { filename: file.filename };
  const body = withOptions({ type, url: noUrl, fileId: file.id, caption, ...ownName, ...named });
  const { sha256, type: mimeType } = file;
  const preFailed = faultOf(type, file);
  return {
    body,
    compared: {
      type,
      file: { sha256, type: mimeType },
      caption,
      ...named,
      ...(telegram === undefined ? {} : { telegram }),
    },
    ...(preFailed === null ? {} : { preFailed }),
  };
}

function demandUrl(url: string | undefined, at: string): asserts url is string {
  if (url === undefined) {
    throw new Problem('media-url-required', {
      errors: [{ at: `${at}/url`, message: 'is required, unless there is a fileId' }],
    });
  }
  const fault = judgeMediaUrl(url);
  if (fault !== null) throw invalidRequest({ at: `${at}/url`, message: fault });
}

async function fileOf(
  fileId: string,
  { tenantId, keyId }: MediaPlace,
  { db }: { readonly db: Db },
): Promise<Upload | null> {
  const id = parseId('file', fileId);
  return id === null ? null : recallUpload(db, { tenantId, keyId }, id);
}

/** Why no channel takes a file as this type. What only its provider refuses fails when the message is sent. */
function faultOf(
  type: MediaType,
  { type: mimeType, bytes }: Upload,
): NonNullable<AcceptItem['preFailed']> | null {
  const { maxBytes, mimeTypes } = mediaLimits[type];
  const essence = mimeType.split(';')[0]!;
  if (mimeTypes !== 'any' && !mimeTypes.includes(essence))
    return {
      errorCode: 'media-type-not-supported',
      text: `names a file of type ${mimeType}, which cannot be sent as ${type}`,
    };
  if (bytes <= maxBytes) return null;
  return {
    errorCode: 'media-too-large',
    text: `names a file that is too large: as ${type} it may have at most ${sizeLimitText(maxBytes)}`,
  };
}
