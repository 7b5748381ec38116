import { createBatcher } from '@notify/batching';
import { databaseFault } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { ReachedStatus } from '@notify/db/messages';
import {
  applyReceipts,
  type ReceiptScope,
  type NewReceipt,
  postponeFirstDue,
  storeConcealed,
  takeReceipts,
  type TakenReceipts,
} from '@notify/db/receipts';
import { type Log, reached } from '@notify/runtime';
import { metrics, traces } from '@notify/telemetry';
import type { WakeGroups } from './groups.ts';
import { countReached } from './message-metrics.ts';
import { traceReceipts } from './message-traces.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

export interface ReceiptsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
}

/** Stores all delivery receipts of the process and applies them to their messages. */
export interface Receipts {
  /**
   * Commits receipts, in one batch with those of other callers, and applies them in the same commit where their
   * messages are known. Resolves when they are committed. If one cannot be applied yet, `applyDue` applies it later.
   */
  store(receipts: readonly NewReceipt[]): Promise<void>;
  /** Applies receipts that arrived with a provider's message id before we knew that id. */
  applyEarly(messages: readonly { readonly accountId: string; readonly externalId: string }[]): void;
  /** Applies the receipts due after `afterMs`. Calls for about the same time are coalesced. */
  applyIn(afterMs: number): void;
  /** Applies every due receipt. Rejects when the database is away. */
  applyDue(): Promise<void>;
  /** Cancels the calls that `applyIn` has planned. The sweeper applies those receipts. */
  close(): void;
}

const maxItems = 500;
/** The least time between two statements that apply receipts, in ms. Half the cost of a small one is fixed. */
const apartMs = 20;
const stepMs = 20;
/** The most receipts postponed in one round. If this many fail alone, the cause lies elsewhere. */
const maxPostponed = 20;

/** Stores and applies delivery receipts with one connection pool. */
export function createReceipts(options: ReceiptsOptions): Receipts {
  const { db, log, wakeWebhooks, wakeGroups } = options;
  const timers = new Map<number, NodeJS.Timeout>();

  const stored = createBatcher<readonly string[], void>({
    maxItems,
    apartMs,
    weigh: (ids) => ids.length,
    run: async (groups) => {
      await apply(options, { kind: 'ids', ids: groups.flat() });
      return groups.map(() => undefined);
    },
  });
  const storing = createBatcher<readonly NewReceipt[], void>({
    maxItems,
    weigh: (receipts) => receipts.length,
    run: async (groups) => {
      await take(groups);
      return groups.map(() => undefined);
    },
  });

  /** Applies receipts in the commit that takes them. Those that cannot be applied yet are stored and applied next. */
  async function take(groups: readonly (readonly NewReceipt[])[]): Promise<void> {
    const receipts = groups.flat();
    const beganAt = performance.now();
    const taken = await takeReceipts(db, receipts, traces.enabled).catch((error: unknown) => {
      // Receipts that the database refuses to apply by themselves are still stored, and the sweeper postpones them.
      if (groups.length > 1 || databaseFault(error) !== 'data') throw error;
      log.tell('receipts-refused', { err: error });
      return null;
    });
    const waiting = taken === null ? await storeConcealed(db, receipts) : taken.stored;
    reached('receipts-stored');
    countTaken(taken, waiting.length);
    if (log.tells('receipts-taken'))
      log.tell('receipts-taken', { received: receipts.length, waitingReceipts: waiting.length });
    if (taken !== null && taken.applied > 0) reached('receipts-joined');
    traceReceipts(taken?.messages ?? [], beganAt);
    wakeWebhooks(taken?.webhooks ?? []);
    wakeGroups(taken?.groups ?? []);
    if (waiting.length > 0) stored.add(waiting).catch(leftToTheSweeper);
  }

  function countTaken(taken: TakenReceipts | null, early: number): void {
    if (early > 0) metrics.receipts.inc({ result: 'early' }, early);
    if (taken !== null) countApplied(taken.applied, taken.reached);
  }

  function leftToTheSweeper(error: unknown): void {
    log.tell('receipts-left', { err: error });
  }

  return {
    store: async (receipts) => {
      if (receipts.length > 0) await storing.add(receipts);
    },
    applyEarly(messages) {
      if (messages.length > 0) apply(options, { kind: 'external', messages }).catch(leftToTheSweeper);
    },
    applyIn(afterMs) {
      const step = Math.ceil((performance.now() + afterMs) / stepMs) + 1;
      if (timers.has(step)) return;
      const fire = (): void => {
        timers.delete(step);
        applyAllDue(options).catch(leftToTheSweeper);
      };
      timers.set(step, setTimeout(fire, step * stepMs - performance.now()));
    },
    applyDue: () => applyAllDue(options),
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function countApplied(applied: number, changes: readonly ReachedStatus[]): void {
  if (applied > 0) metrics.receipts.inc({ result: 'applied' }, applied);
  countReached(changes);
}

/** Applies some receipts and wakes the webhooks with new work. Resolves with the number of receipts read. */
async function apply(
  { db, wakeWebhooks, wakeGroups }: ReceiptsOptions,
  scope: ReceiptScope,
): Promise<number> {
  const beganAt = performance.now();
  const {
    seen,
    applied,
    webhooks,
    groups,
    reached: changes,
    messages,
  } = await applyReceipts(db, scope, traces.enabled);
  countApplied(applied, changes);
  traceReceipts(messages, beganAt);
  // The sweeper looks every 2 s, mostly at nothing.
  if (seen > 0 || scope.kind !== 'due') reached('receipts-joined');
  wakeWebhooks(webhooks);
  wakeGroups(groups);
  return seen;
}

/**
 * When the database refuses a batch, continues with smaller ones, and postpones a receipt that fails alone, so that the
 * receipts behind it are applied.
 */
async function applyAllDue(options: ReceiptsOptions): Promise<void> {
  let limit = maxItems;
  for (let postponed = 0; postponed < maxPostponed;) {
    try {
      if ((await apply(options, { kind: 'due', limit })) < limit) return;
      limit = Math.min(maxItems, 2 * limit);
    } catch (error) {
      if (databaseFault(error) === 'away') throw error;
      if (limit === 1) {
        const receiptId = await postponeFirstDue(options.db);
        options.log.tell('receipt-not-applied', { err: error, receiptId });
        postponed += 1;
      }
      limit = Math.ceil(limit / 2);
    }
  }
}
