import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import {
  claimRequests,
  dropForgottenFiles,
  endFile,
  type FileFailure,
  type FileRequest,
  giveBack,
  readSoFar,
  writeChunk,
} from '@notify/db/files';
import { findDevice } from '@notify/db/whatsapp';
import { inChunks } from '@notify/egress';
import { every, type Log, SecretError, type Secrets } from '@notify/runtime';
import { createSharedPlaces } from '@notify/turns';
import { openDataKey } from '../devices/data-key.ts';
import type { FilePlace } from '../inbound/content.ts';
import { type FileReference, openReference } from '../inbound/file-reference.ts';
import { type FetchDeps, fetchFile } from './fetch-file.ts';

export interface RelayDeps extends FetchDeps {
  readonly db: Db;
  readonly log: Log;
  /** Sealed with the master key. */
  readonly secrets: Secrets;
  /** This process. */
  readonly holder: string;
}

/** How often a process looks for requests, in ms. One statement on a table that is almost always empty. */
const lookEveryMs = 200;
const sweepEveryMs = 10_000;
/**
 * Files that a process serves at once, each with about 1 MB of memory, and those of one tenant. A reader may be slow. The last places
 * are for tenants that have none.
 */
const atOnce = { total: 64, perOwner: 8, reserved: 16 };
/**
 * Where no place is free, so many tenants at once may take one from a tenant with several, once no process with a free place has
 * taken their request for a second.
 */
const newcomers = 4;
const chunkBytes = 256 * 1_024;
/** How many chunks may wait for their reader. */
const maxAhead = 8;
const pauseMs = 20;

const unlinked: FileFailure = { kind: 'expired', detail: 'The device that received the file was unlinked.' };

/**
 * Serves the files of linked devices to the api, through the database: fetches them from WhatsApp, opens them, and writes
 * them in chunks. Any process can serve any account, because the key lies in the message.
 */
export function startFileRelay(deps: RelayDeps): { close(): Promise<void> } {
  const { db, log, holder } = deps;
  const stop = new AbortController();
  const serving = new Set<Promise<void>>();
  const places = createSharedPlaces(atOnce);

  async function look(): Promise<void> {
    const free = atOnce.total - places.taken;
    const claimed = await claimRequests(db, holder, {
      first: free,
      firstLate: Math.max(newcomers, free),
      all: Math.max(0, free - atOnce.reserved),
      perTenant: atOnce.perOwner,
    });
    for (const request of claimed) {
      const served = serveInPlace(request)
        .catch((error: unknown) => log.tell('file-not-read', { err: error, accountId: request.accountId }))
        .finally(() => serving.delete(served));
      serving.add(served);
    }
  }

  async function serveInPlace(request: FileRequest): Promise<void> {
    const gaveWay = new AbortController();
    const place = places.enter(request.tenantId, () => gaveWay.abort());
    // Another process may have a place, or this one soon. The reader decides how long it waits.
    if (typeof place === 'string') return giveBack(db, holder, request.id);
    try {
      await serve(request, deps, AbortSignal.any([stop.signal, gaveWay.signal]));
    } finally {
      place.leave();
    }
  }

  const periodic = [
    every('look-for-wanted-files', lookEveryMs, look, log),
    every('drop-forgotten-files', sweepEveryMs, async () => void (await dropForgottenFiles(db)), log),
  ];
  return {
    async close() {
      await Promise.all(periodic.map((one) => one.close()));
      stop.abort();
      await Promise.all(serving);
    },
  };
}

async function serve(request: FileRequest, deps: RelayDeps, stopping: AbortSignal): Promise<void> {
  const failure = await relay(request, deps, stopping);
  if (failure !== null) deps.log.tell('file-failed', { accountId: request.accountId, ...failure });
  await endFile(deps.db, deps.holder, request.id, failure);
}

/** Writes the whole file. Returns why it ends early; null at its end, or when nobody reads it any more. */
async function relay(
  { id, accountId, file }: FileRequest,
  deps: RelayDeps,
  stopping: AbortSignal,
): Promise<FileFailure | null> {
  const place = await placeOf(accountId, file as FileReference, deps);
  if (place === null) return unlinked;
  const fetched = await fetchFile(place, deps, stopping);
  if (fetched.kind !== 'file') return fetched;
  try {
    let read: number | null = 0;
    let chunk = 0;
    for await (const bytes of inChunks(fetched.content, chunkBytes)) {
      if (chunk - read >= maxAhead) read = await readUpTo(chunk - maxAhead, id, deps, stopping);
      if (read !== null) read = await writeChunk(deps.db, deps.holder, id, { chunk, bytes });
      if (read === null) return null;
      chunk += 1;
    }
    return null;
  } catch (error) {
    return { kind: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Null if the account's key is gone: it was unlinked since, or linked to another phone. */
async function placeOf(
  accountId: string,
  reference: FileReference,
  { db, secrets }: RelayDeps,
): Promise<FilePlace | null> {
  const row = await findDevice(db, accountId);
  if (row === null || row.dataKey === null) return null;
  const whose = { tenantId: row.tenantId, accountId };
  try {
    return openReference(reference, whose, openDataKey(secrets, whose, row.dataKey));
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

/** Waits until the reader has taken more than this many chunks. Null when nobody reads the file any more. */
async function readUpTo(
  chunks: number,
  id: string,
  { db, holder }: RelayDeps,
  signal: AbortSignal,
): Promise<number | null> {
  for (;;) {
    const read = await readSoFar(db, holder, id);
    if (read === null || read > chunks) return read;
    await delay(pauseMs, undefined, { signal });
  }
}
