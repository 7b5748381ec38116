import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@notify/runtime';
import type { SignalKeyStore } from '@whiskeysockets/baileys';
import { fetchHistory, type HistoryNotice } from './file.ts';
import { keepHistory } from './privacy-tokens.ts';

/** A history that is to be read, as it is kept until then. */
export interface PendingHistory {
  readonly notice: HistoryNotice;
  /** How often it was begun with. */
  readonly tries: number;
}

/** Where histories wait. What is written in vain rejects. */
export interface PendingHistories {
  list(): Promise<Map<string, PendingHistory>>;
  /** Null: it waits no longer. */
  save(id: string, pending: PendingHistory | null): Promise<void>;
}

export interface ImporterDeps {
  readonly accountId: string;
  readonly pending: PendingHistories;
  readonly keys: SignalKeyStore;
  /** The host to download from. */
  readonly host: () => Promise<string>;
  /** Waits for its turn to read; the result is called when that is done. */
  readonly turnToRead: () => Promise<() => void>;
  readonly log: Log;
}

/** How often a history is tried, over half an hour. */
const maxTries = 6;
/** The wait after the first try that failed, in ms; each after that is four times as long. */
const pauseMs = 5_000;

/**
 * Takes what the phone tells of its chats: the privacy tokens of contacts and their LIDs, and no message. The phone tells it
 * once, so it is kept until it is read, and read over the next connection where this one ends before.
 */
export class HistoryImporter {
  private readonly deps: ImporterDeps;
  private readonly stop = new AbortController();
  private hasBegun = false;
  private work: Promise<void> = Promise.resolve();

  constructor(deps: ImporterDeps) {
    this.deps = deps;
  }

  /** Begins, once, with what is left from before. To be called when files can be downloaded. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.work = this.quietly(() => this.resume());
  }

  /** The phone has told of a history. */
  add(id: string, notice: HistoryNotice): void {
    this.begin();
    const saved = this.deps.pending.save(id, { notice, tries: 0 });
    const before = this.work;
    this.work = this.quietly(async () => {
      await Promise.all([saved, before]);
      await this.read(id, { notice, tries: 0 });
    });
  }

  /** Ends what is being read, which is left for the next connection. Resolves when nothing of it goes on. */
  end(): Promise<void> {
    this.stop.abort();
    return this.work;
  }

  private async resume(): Promise<void> {
    for (const [id, pending] of await this.deps.pending.list()) await this.read(id, pending);
  }

  private async read(id: string, { notice, tries: before }: PendingHistory): Promise<void> {
    const { pending, log, accountId } = this.deps;
    const { signal } = this.stop;
    for (let tries = before + 1; tries <= maxTries && !signal.aborted; tries += 1) {
      await pending.save(id, { notice, tries });
      try {
        const { tokens, lids } = await this.readNow(notice);
        await pending.save(id, null);
        return log.info({ accountId, tokens: tokens.length, lids: lids.size }, 'history read');
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, accountId, tries }, 'history not read');
        await delay(pauseMs * 4 ** (tries - 1), undefined, { signal }).catch(() => undefined);
      }
    }
    if (!signal.aborted) await pending.save(id, null);
  }

  private async readNow(notice: HistoryNotice) {
    const { keys, host, turnToRead } = this.deps;
    const done = await turnToRead();
    try {
      const history = await fetchHistory(notice, host, this.stop.signal);
      await keepHistory(keys, history);
      return history;
    } finally {
      done();
    }
  }

  private quietly(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) => {
      const { log, accountId } = this.deps;
      if (!this.stop.signal.aborted)
        log.warn({ err: error, accountId }, 'history left for the next connection');
    });
  }
}
