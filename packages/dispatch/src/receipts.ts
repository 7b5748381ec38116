import { databaseFault } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Wake } from '@notify/db/messages';
import { joinReceipts, postponeFirstDue } from '@notify/db/receipts';
import { type Log, reached } from '@notify/runtime';

export interface ReceiptJoiner {
  /** Joins what is due so many ms from now; calls for about the same time are one. */
  readonly joinIn: (afterMs: number) => void;
  readonly close: () => void;
}

const stepMs = 20;
const joinedAtOnce = 500;

/** Joins reports that were foreseen when a message was accepted. One that is missed is joined by the sweeper. */
export function createReceiptJoiner(
  db: Db,
  wakeWebhooks: (webhooks: readonly Wake[]) => void,
  log: Log,
): ReceiptJoiner {
  const timers = new Map<number, NodeJS.Timeout>();

  function join(): void {
    joinAllDue({ db, wakeWebhooks, log }).catch((error: unknown) =>
      log.warn({ err: error }, 'receipts left to the sweeper'),
    );
  }

  return {
    joinIn(afterMs) {
      const step = Math.ceil((performance.now() + afterMs) / stepMs) + 1;
      if (timers.has(step)) return;
      const fire = (): void => {
        timers.delete(step);
        join();
      };
      timers.set(step, setTimeout(fire, step * stepMs - performance.now()));
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

export interface JoinDeps {
  readonly db: Db;
  readonly wakeWebhooks: (webhooks: readonly Wake[]) => void;
  readonly log: Log;
}

/** Reports that are put off in one round at most. When so many fail by themselves, the cause is not in them. */
const mostPutOff = 20;

/**
 * Joins every stored report whose time has come. Where the database refuses a batch, it goes on with smaller ones, and
 * puts off a report that fails by itself, so that those behind it are joined.
 */
export async function joinAllDue(deps: JoinDeps): Promise<void> {
  let limit = joinedAtOnce;
  for (let putOff = 0; putOff < mostPutOff;) {
    try {
      if (!(await joinSomeDue(deps, limit))) return;
      limit = Math.min(joinedAtOnce, 2 * limit);
    } catch (error) {
      if (databaseFault(error) === 'away') throw error;
      if (limit === 1) {
        deps.log.error(
          { err: error, receiptId: await postponeFirstDue(deps.db) },
          'a receipt was not joined',
        );
        putOff += 1;
      }
      limit = Math.ceil(limit / 2);
    }
  }
}

/** Resolves with whether more may be due. */
async function joinSomeDue({ db, wakeWebhooks }: JoinDeps, limit: number): Promise<boolean> {
  const { seen, webhooks } = await joinReceipts(db, { kind: 'due', limit });
  if (seen > 0) reached('receipts-joined');
  wakeWebhooks(webhooks);
  return seen === limit;
}
