import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedFile } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { endRequest, type FileFailure, readChunks, requestFile } from '@notify/db/files';

/** A file that only the processes of linked devices can read. `file` is what `messages.file` holds. */
export interface RelayedFile {
  readonly accountId: string;
  readonly file: unknown;
}

export interface RelayOptions {
  readonly signal: AbortSignal;
  /** The clock, in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/** How long to wait for a process to take the request, in ms. */
const takenWithinMs = 4_000;
/** The waits between two looks for the next bytes, in ms. */
const pausesMs = [5, 10, 20, 40] as const;
/** How often the writer is told that a slow reader is still there, in ms. */
const renewMs = 5_000;

const nobody: OpenedFile = { kind: 'unavailable', detail: 'No process of linked devices is running.' };
const crowded: OpenedFile = {
  kind: 'unavailable',
  detail: 'No process of linked devices has had a place for the file.',
};

/**
 * Reads the file of a linked device's message through the database, from a process that may run its library. Resolves
 * when the first bytes are there. Every wait ends when `signal` fires, and so does the content. The caller reads the
 * content to its end, or returns it; then nothing is left behind.
 */
export async function relayFile(
  db: Db,
  { accountId, file }: RelayedFile,
  { signal, now = () => performance.now() }: RelayOptions,
): Promise<OpenedFile> {
  const id = await requestFile(db, accountId, file);
  if (id === null) return nobody;
  const reading = new Reading(db, id, signal);
  try {
    const opened = await open(reading, now);
    if (opened.kind !== 'file') await reading.end();
    return opened;
  } catch (error) {
    await reading.end();
    throw error;
  }
}

async function open(reading: Reading, now: () => number): Promise<OpenedFile> {
  const beganAt = now();
  for (let look = 0; ; look += 1) {
    const progress = await reading.next();
    if (progress.chunks.length > 0 || (progress.isOver && progress.failure === null))
      return { kind: 'file', mimeType: null, bytes: null, content: contentOf(reading, progress) };
    if (progress.isOver) return progress.failure!;
    if (progress.isWaiting && now() - beganAt > takenWithinMs) return crowded;
    await reading.pause(look);
  }
}

interface Progress {
  readonly chunks: readonly Uint8Array[];
  readonly isWaiting: boolean;
  readonly isOver: boolean;
  readonly failure: FileFailure | null;
}

async function* contentOf(reading: Reading, first: Progress): AsyncGenerator<Uint8Array> {
  try {
    for (let progress = first, look = 0; ; progress = await reading.next()) {
      yield* progress.chunks;
      look = progress.chunks.length > 0 ? 0 : look + 1;
      if (progress.isOver && progress.failure !== null) throw new Error(progress.failure.detail);
      if (progress.isOver) return;
      if (look > 0) await reading.pause(look);
    }
  } finally {
    await reading.end();
  }
}

/** One request while it is read. */
class Reading {
  private readonly db: Db;
  private readonly id: string;
  private readonly signal: AbortSignal;
  private readonly renewal: NodeJS.Timeout;
  private over: Promise<void> | null = null;

  constructor(db: Db, id: string, signal: AbortSignal) {
    this.db = db;
    this.id = id;
    this.signal = signal;
    this.renewal = setInterval(() => {
      readChunks(db, id, { atMost: 0 }).catch(() => undefined);
    }, renewMs);
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.onAbort();
  }

  /** The next bytes, if there are any. */
  async next(): Promise<Progress> {
    this.signal.throwIfAborted();
    const progress = await readChunks(this.db, this.id);
    if (progress !== null) return progress;
    // The reader removes its request when its signal fires, perhaps while it reads.
    this.signal.throwIfAborted();
    throw new Error('the request for the file is gone');
  }

  pause(look: number): Promise<void> {
    return delay(pausesMs[Math.min(look, pausesMs.length - 1)], undefined, { signal: this.signal });
  }

  /** Removes everything. What cannot be removed now is swept later. */
  end(): Promise<void> {
    clearInterval(this.renewal);
    this.signal.removeEventListener('abort', this.onAbort);
    this.over ??= endRequest(this.db, this.id).catch(() => undefined);
    return this.over;
  }

  /** Also when nobody reads the content, whose own end would then never come. */
  private readonly onAbort = (): void => void this.end();
}
