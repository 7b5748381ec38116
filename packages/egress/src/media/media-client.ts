import { type AgentOptions, openGuardedAgent, ownHeaders } from '../connections/guarded-agent.ts';
import { describe, EgressError } from '../errors.ts';
import { type Clock, type ClockOptions, startClock } from '../exchange/clock.ts';
import type { SpooledFile } from '../http-client.ts';
import { createBufferSweep } from './buffer-sweep.ts';
import { fetchFile } from './fetch-file.ts';
import { beginningOf, demandFile, isEmpty, lengthOf } from './file-answer.ts';
import { MediaError, type MediaErrorClass } from './media-error.ts';
import { sniff, sniffedBytes } from './sniff.ts';
import { createSpoolFile, type SpoolFile } from './spool.ts';

export interface MediaClientOptions extends AgentOptions {
  /** The folder of files during their upload. */
  readonly spoolDir: string;
  /** The limit of a look, in ms. Default 10 s. */
  readonly lookMs?: number;
  /** The limit of silence in a download, in ms. Default 10 s. */
  readonly idleMs?: number;
  /** The limit of a whole download, in ms. Default 120 s. */
  readonly downloadMs?: number;
}

/** The default limits of fetching a tenant's file, in ms. */
export const mediaTimes = { lookMs: 10_000, idleMs: 10_000, downloadMs: 120_000 } as const;

export interface MediaFailure {
  readonly ok: false;
  readonly error: MediaErrorClass;
  readonly status: number | null;
  readonly text: string;
}

/** The result of a look at a file. */
export interface Looked {
  readonly ok: true;
  /** Its length; null if the server does not say. */
  readonly bytes: number | null;
  /** Sniffed from its first bytes. */
  readonly mimeType: string;
  /** Its first 4,100 bytes. */
  readonly head: Buffer;
}

export interface Downloaded {
  readonly ok: true;
  readonly file: SpooledFile;
}

/** Fetches files that tenants named. Failures of the network or the disk are results, never exceptions. */
export interface MediaClient {
  /** Requests the first 4,100 bytes, and closes the connection if the server sends more. */
  look(url: string, options?: { readonly signal?: AbortSignal }): Promise<Looked | MediaFailure>;
  /**
   * Fetches the whole file to disk, never whole into memory. Fails with `too-large` beyond `maxBytes`. Dispose of the
   * file.
   */
  download(
    url: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<Downloaded | MediaFailure>;
  close(): Promise<void>;
}

/**
 * Makes a client for tenants' files. Unlike providers and receivers, file servers may redirect, at most three times.
 * Each hop is vetted like the first. Under strict rules https never leads to http.
 */
export function createMediaClient(options: MediaClientOptions): MediaClient {
  const guarded = openGuardedAgent(options);
  const { lookMs, idleMs, downloadMs } = { ...mediaTimes, ...options };
  const sweep = createBufferSweep();
  const createFile = () => createSpoolFile(options.spoolDir, sweep);
  const get = (url: string, clock: Clock, headers = {}) =>
    fetchFile(url, guarded, { ...ownHeaders(options), ...headers }, clock.signal);
  return {
    look: (url, { signal } = {}) =>
      withinTime({ totalMs: lookMs, signal }, (clock) => look((headers) => get(url, clock, headers))),
    download: (url, { maxBytes, signal }) =>
      withinTime({ totalMs: downloadMs, idleMs, signal }, (clock) =>
        download(() => get(url, clock), createFile, maxBytes, clock),
      ),
    close: () => guarded.agent.destroy(),
  };
}

type Get = (headers?: Record<string, string>) => ReturnType<typeof fetchFile>;

async function look(get: Get): Promise<Looked> {
  const answer = await get({ range: `bytes=0-${sniffedBytes - 1}` });
  if (isEmpty(answer))
    return { ok: true, bytes: 0, mimeType: await sniff(Buffer.alloc(0)), head: Buffer.alloc(0) };
  demandFile(answer, [200, 206]);
  const { head, ended } = await beginningOf(answer, sniffedBytes);
  const bytes = lengthOf(answer) ?? (ended && answer.status === 200 ? head.length : null);
  return { ok: true, bytes, mimeType: await sniff(head), head };
}

async function download(
  get: Get,
  createFile: () => Promise<SpoolFile>,
  maxBytes: number,
  clock: Clock,
): Promise<Downloaded> {
  const answer = await get();
  clock.heard();
  demandFile(answer, [200]);
  if ((lengthOf(answer) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const spool = await onDisk(createFile());
  try {
    return { ok: true, file: await fill(spool, answer.body, maxBytes, clock) };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

async function fill(
  spool: SpoolFile,
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  clock: Clock,
): Promise<SpooledFile> {
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of body) {
    clock.heard();
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (head.length < sniffedBytes) head = Buffer.concat([head, chunk]).subarray(0, sniffedBytes);
    await onDisk(spool.write(chunk));
  }
  const mimeType = await sniff(head);
  return { bytes, mimeType, open: () => spool.read(), [Symbol.asyncDispose]: () => spool.close() };
}

function tooLarge(maxBytes: number): MediaError {
  return new MediaError('too-large', `the file is longer than ${maxBytes} bytes`);
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new MediaError('spool', `the file could not be stored: ${describe(cause as Error)}`, { cause });
  }
}

async function withinTime<T>(
  options: ClockOptions,
  work: (clock: Clock) => Promise<T>,
): Promise<T | MediaFailure> {
  const clock = startClock(options);
  try {
    return await work(clock);
  } catch (error) {
    return failureOf(error);
  } finally {
    clock.stop();
  }
}

/** The failure of an error. Endless headers are the server's fault and say nothing about the file's size. */
function failureOf(error: unknown): MediaFailure {
  if (error instanceof MediaError)
    return { ok: false, error: error.class, status: error.status, text: error.message };
  if (!(error instanceof EgressError)) throw error;
  const errorClass = error.class === 'too-large' ? 'protocol' : error.class;
  return { ok: false, error: errorClass, status: null, text: error.message };
}
