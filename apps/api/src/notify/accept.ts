import type { Db } from '@notify/db/connection';
import {
  type Accepted,
  type AcceptItem,
  acceptMessages,
  acceptResend,
  type AcceptResult,
  countKnownKeys,
  countWaiting,
  type Original,
} from '@notify/db/messages';
import type { Waker } from '@notify/queue';
import { type Log, reached, type Settings } from '@notify/runtime';
import { createBatcher } from '@notify/turns';
import { wakeAll } from '../wake.ts';
import { type Backlog, createBacklog } from './backlog.ts';

/** What became of one message that a tenant wanted sent. */
export type SendResult = AcceptResult | { readonly kind: 'refused'; readonly code: 'limit-reached' };

/** Stores messages that are to be sent. */
export interface Acceptor {
  /**
   * Stores messages in the next group commit and wakes whom they concern; answers in the order of the items. Besides
   * what the commit says, a tenant with too many waiting messages is refused with `limit-reached`.
   */
  accept(items: readonly AcceptItem[]): Promise<readonly SendResult[]>;
  /** The same for one message that replaces one that failed; it has a commit of its own, because it is rare. */
  resend(item: AcceptItem, original: Original): Promise<SendResult>;
}

export interface AcceptorOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly settings: Pick<Settings, 'idempotencyDays' | 'trialEnforcement' | 'maxWaitingPerTenant'>;
}

const maxItems = 500;
/** Commits in flight at once: while one is written to disk the next is prepared. */
const concurrency = 2;

/**
 * The group commit. While one is in flight the next gathers; the messages of one call stay together, so a call is
 * stored whole or not at all. Whom it concerns is woken after the answer; a wake that fails is only a delay.
 */
export function createAcceptor(options: AcceptorOptions): Acceptor {
  const { db, settings } = options;
  const rules = {
    idempotencyDays: settings.idempotencyDays,
    blockExpiredTrials: settings.trialEnforcement === 'block',
  };
  const backlog = createBacklog(settings.maxWaitingPerTenant, (tenantId, atMost) =>
    countWaiting(db, tenantId, atMost),
  );
  const batcher = createBatcher<readonly AcceptItem[], readonly SendResult[]>({
    maxItems,
    concurrency,
    weigh: (call) => call.length,
    run: async (calls) => {
      reached('accept-begun');
      const accepted = await acceptMessages(db, calls.flat(), rules);
      reached('accept-committed');
      wake(accepted, options);
      return divide(calls, accepted.results);
    },
  });
  const admits = async (tenantId: string, items: readonly AcceptItem[]): Promise<boolean> =>
    (await backlog.admits(tenantId, items.length)) || (await admitsNew(tenantId, items, backlog, options));
  return {
    async accept(items) {
      const tenantId = items[0]?.tenantId;
      if (tenantId === undefined) return [];
      if (!(await admits(tenantId, items))) return items.map(() => refused);
      return batcher.add(items);
    },
    async resend(item, original) {
      if (!(await admits(item.tenantId, [item]))) return refused;
      const accepted = await acceptResend(db, item, original, rules);
      wake(accepted, options);
      return accepted.results[0]!;
    },
  };
}

const refused = { kind: 'refused', code: 'limit-reached' } as const;

/** A repeat adds nothing to what waits, so it is answered even where nothing more may wait. */
async function admitsNew(
  tenantId: string,
  items: readonly AcceptItem[],
  backlog: Backlog,
  { db, settings }: AcceptorOptions,
): Promise<boolean> {
  const keys = items.flatMap((item) => item.idempotencyKey ?? []);
  if (keys.length === 0) return false;
  const repeated = await countKnownKeys(db, tenantId, keys, settings.idempotencyDays);
  const fresh = items.length - repeated;
  return fresh === 0 || (repeated > 0 && backlog.admits(tenantId, fresh));
}

/** Gives every call its own part of the results. */
function divide(calls: readonly (readonly AcceptItem[])[], results: readonly SendResult[]): SendResult[][] {
  let start = 0;
  return calls.map((call) => results.slice(start, (start += call.length)));
}

function wake(accepted: Accepted, { waker, log }: AcceptorOptions): void {
  setImmediate(() => {
    reached('accept-answered');
    wakeAll(waker, log, 'dispatch', accepted.accounts);
    wakeAll(waker, log, 'webhooks', accepted.webhooks);
  });
}
