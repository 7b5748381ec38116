import { mediaLimits } from '@notify/channels';
import type { SendMedia } from '@notify/contract';
import { type Channel, type MediaType, type MessageBody, noUrl, parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { recallUpload, type Upload } from '@notify/db/uploads';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { judgeMediaUrl } from './media-url.ts';
import type { Send } from './send.ts';

/** Throws if the channel takes no files. `at`: the field to name, if there are several. */
export function demandMedia(channel: Channel, at?: string): void {
  if (channel !== 'sms') return;
  const errors = at === undefined ? [] : [{ at, message: 'is not possible on sms' }];
  throw new Problem('media-not-supported', { errors });
}

/** The content of a file to send. */
export type MediaContent = Pick<SendMedia, 'type' | 'url' | 'fileId' | 'caption' | 'filename'>;

/** Who sends a file, and where its fields are in the request. */
export interface MediaPlace {
  readonly tenantId: string;
  /** Null if a session or a service token sends, which reach all files of their tenant. */
  readonly keyId: string | null;
  readonly at: string;
}

/** The content of a message as it is stored, and as idempotency compares it if that differs. */
export type ContentOf = Pick<Send, 'body' | 'compared'>;

/**
 * The content of a file to send. Throws the Problem of a URL that is missing or malformed, and of an uploaded file that the sender does
 * not have or the channels do not take. The commit refuses a file that is gone, unless the send repeats an earlier one.
 */
export async function mediaContent(
  content: MediaContent,
  place: MediaPlace,
  deps: { readonly db: Db },
): Promise<ContentOf> {
  const { type, url, fileId, caption = null, filename } = content;
  const named = filename !== undefined && filename.trim() !== '' ? { filename } : {};
  if (fileId === undefined) {
    demandUrl(url, place.at);
    return { body: { type, url, caption, ...named } };
  }
  if (url !== undefined)
    throw invalidRequest({ at: `${place.at}/fileId`, message: 'must not be given together with url' });
  const file = await fileOf(fileId, place, deps);
  demandSendable(type, file, place.at);
  const ownName = file.filename === null ? {} : { filename: file.filename };
  const body: MessageBody = { type, url: noUrl, fileId: file.id, caption, ...ownName, ...named };
  const { sha256, type: mimeType } = file;
  return { body, compared: { type, file: { sha256, type: mimeType }, caption, ...named } };
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
  { at, ...reader }: MediaPlace,
  { db }: { readonly db: Db },
): Promise<Upload> {
  const id = parseId('file', fileId);
  const file = id === null ? null : await recallUpload(db, reader, id);
  if (file !== null) return file;
  throw new Problem('file-not-found', { errors: [{ at: `${at}/fileId`, message: 'names no file' }] });
}

/** Refuses a file that no channel takes as this type. What only its provider refuses fails when the message is sent. */
function demandSendable(type: MediaType, { type: mimeType, bytes }: Upload, at: string): void {
  const { maxBytes, mimeTypes } = mediaLimits[type];
  const essence = mimeType.split(';')[0]!;
  if (mimeTypes !== 'any' && !mimeTypes.includes(essence))
    throw invalidRequest({
      at: `${at}/fileId`,
      message: `names a file of type ${mimeType}, which is no ${type}`,
    });
  if (bytes > maxBytes)
    throw invalidRequest({
      at: `${at}/fileId`,
      message: `names a file of ${bytes} bytes; as ${type} it may have ${maxBytes}`,
    });
}
