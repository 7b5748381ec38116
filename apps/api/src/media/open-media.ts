import { setTimeout as delay } from 'node:timers/promises';
import { baseUrlOf, type OpenedFile, type ProviderHttp } from '@notify/channels';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { type FileRow, findFile } from '@notify/db/messages';
import { relayFile } from '@notify/dispatch';
import type { Log } from '@notify/runtime';
import type { SharedPlaces } from '@notify/turns';
import { adapterOf, openIfReadable, unreadable, type AccountNeeds } from '../channel-accounts/account.ts';
import type { Place } from '../admission/admission.ts';
import type { FileAnswer } from '../http/file-stream.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { fileName } from './file-name.ts';
import { enterFilePlace } from './file-places.ts';

/** What `openMedia` needs. */
export interface MediaNeeds extends AccountNeeds {
  readonly db: Db;
  readonly http: ProviderHttp;
  readonly filePlaces: SharedPlaces;
}

/** How long the provider may take until the first byte, in ms. */
const openingMs = 20_000;
/** When to ask again for a file whose provider is away, in seconds. */
const retryAfterSeconds = 30;

/** A message whose file is asked for. */
export interface AskedFile {
  readonly tenantId: string;
  readonly messageId: string;
  /** Fires when the client is gone, which ends everything under way. */
  readonly gone: AbortSignal;
  /** Of the request. It is left while the provider is asked, because a file has its own place. */
  readonly place: Pick<Place, 'leave'>;
}

/**
 * Opens the file of an inbound message at its provider. Throws the Problem of a file that is not there. A HEAD request
 * gets the headers as far as they are stored, and asks no provider.
 */
export async function openMedia(
  { tenantId, messageId, gone, place }: AskedFile,
  deps: MediaNeeds,
): Promise<FileAnswer> {
  const row = found(await findFile(deps.db, tenantId, messageId));
  if (gone.aborted) return answerOf(row, noBytes(), gone, deps);
  const ended = enterFilePlace(deps.filePlaces, tenantId, gone);
  const account = await findAccount(deps.db, tenantId, row.channel_account_id);
  if (account === null) throw new Problem('media-expired', { detail: 'The account was removed.' });
  place.leave();
  const opened = await open(account, row.file, ended, deps);
  switch (opened.kind) {
    case 'expired':
      throw new Problem('media-expired', { detail: opened.detail });
    case 'unavailable':
      throw new Problem('unavailable', { detail: opened.detail, retryAfterSeconds });
    case 'file':
      return answerOf(row, opened, ended, deps);
  }
}

type File = Extract<OpenedFile, { kind: 'file' }>;

function noBytes(): File {
  return { kind: 'file', mimeType: null, bytes: null, content: (async function* () {})() };
}

/** Opens the file within the time for it, whatever the provider does. */
async function open(
  account: AccountRow,
  file: unknown,
  gone: AbortSignal,
  deps: AccountNeeds & { readonly db: Db; readonly http: ProviderHttp },
): Promise<OpenedFile> {
  const ended = new AbortController();
  const late = new AbortController();
  const tooLate = delay(openingMs, undefined, { signal: ended.signal }).then((): OpenedFile => {
    late.abort();
    return { kind: 'unavailable', detail: 'The provider does not respond.' };
  });
  try {
    const signal = AbortSignal.any([gone, late.signal]);
    return await Promise.race([read(account, file, signal, deps), tooLate]);
  } catch (error) {
    if (gone.aborted) return { kind: 'unavailable', detail: 'The reading was ended.' };
    throw error;
  } finally {
    ended.abort();
    tooLate.catch(() => undefined);
  }
}

function read(
  account: AccountRow,
  file: unknown,
  signal: AbortSignal,
  deps: AccountNeeds & { readonly db: Db; readonly http: ProviderHttp },
): Promise<OpenedFile> {
  const adapter = adapterOf(deps, account.provider);
  // Only the processes of linked devices can read their files.
  if (adapter.openFile === undefined) return relayFile(deps.db, { accountId: account.id, file }, { signal });
  const sealed = openIfReadable(deps, account);
  if (sealed === null) return Promise.resolve({ kind: 'unavailable', detail: unreadable });
  const http = deps.http.of(adapter);
  const baseUrl = baseUrlOf(adapter, deps.settings.providerUrls);
  return adapter.openFile(file, { settings: sealed.settings, http, baseUrl, signal });
}

function answerOf(row: FileRow, file: File, gone: AbortSignal, { log }: { log: Log }): FileAnswer {
  const mimeType = file.mimeType ?? row.body.mimeType;
  return {
    filename: fileName(row, mimeType),
    mimeType,
    bytes: file.bytes,
    content: whole(file, (error) => {
      if (!gone.aborted) log.tell('file-broke-off', { err: error, messageId: row.id });
    }),
  };
}

/** The content. Throws a Problem if it breaks off, or if it has another length than the provider told. */
async function* whole(
  { content, bytes }: File,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    let read = 0;
    for await (const chunk of content) {
      read += chunk.length;
      if (read > (bytes ?? Infinity)) throw new Error('it is longer than the provider told');
      yield chunk;
    }
    if (read < (bytes ?? 0)) throw new Error('it is shorter than the provider told');
  } catch (error) {
    onError(error);
    throw new Problem('unavailable');
  }
}
