import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@notify/runtime';
import type { SignalKeyStore } from '@whiskeysockets/baileys';
import type { DeviceTurns } from '../devices/device-turns.ts';
import { fetchHistory, type HistoryNotice } from './file.ts';
import { keepHistory } from './privacy-tokens.ts';

/** A history that waits to be read. */
export interface PendingHistory {
  readonly notice: HistoryNotice;
  /** The number of tries begun. */
  readonly tries: number;
}

/** The store of waiting histories. A failed write rejects. */
export interface PendingHistories {
  list(): Promise<Map<string, PendingHistory>>;
  /** Null removes the history. */
  save(id: string, pending: PendingHistory | null): Promise<void>;
}

export interface ImporterDeps {
  readonly accountId: string;
  readonly tenantId: string;
  readonly pending: PendingHistories;
  readonly keys: SignalKeyStore;
  /** The host to download from. */
  readonly host: () => Promise<string>;
  readonly turnToRead: DeviceTurns['turnToRead'];
  readonly log: Log;
}

/** The number of tries for one history, over half an hour. */
const maxTries = 6;
/** The wait after the first failed try, in ms. Each further wait is four times as long. */
const pauseMs = 5_000;

/**
 * Imports the contacts' privacy tokens and LIDs from the chat history of the phone, but no message. The phone announces
 * a history only once. So the notice is stored until the history is read, if necessary over the next connection.
 */
export class HistoryImporter {
  private readonly deps: ImporterDeps;
  private readonly stop = new AbortController();
  private hasBegun = false;
  private work: Promise<void> = Promise.resolve();

  constructor(deps: ImporterDeps) {
    this.deps = deps;
  }

  /** Starts reading histories left over from before. Call it once, when files can be downloaded. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.work = this.quietly(() => this.resume());
  }

  /** The phone has announced a history. */
  add(id: string, notice: HistoryNotice): void {
    this.begin();
    const saved = this.deps.pending.save(id, { notice, tries: 0 });
    const before = this.work;
    this.work = this.quietly(async () => {
      await Promise.all([saved, before]);
      await this.read(id, { notice, tries: 0 });
    });
  }

  /** Stops the current read and leaves it for the next connection. Resolves when the read has stopped. */
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
        return log.tell('history-read', { accountId, tokens: tokens.length, lids: lids.size });
      } catch (error) {
        if (signal.aborted) return;
        log.tell('history-failed', { err: error, accountId, tries });
        await delay(pauseMs * 4 ** (tries - 1), undefined, { signal }).catch(() => undefined);
      }
    }
    if (!signal.aborted) await pending.save(id, null);
  }

  private async readNow(notice: HistoryNotice) {
    const { keys, host, tenantId, turnToRead } = this.deps;
    const done = await turnToRead(tenantId);
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
      if (!this.stop.signal.aborted) log.tell('history-left', { err: error, accountId });
    });
  }
}
