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

/** The outcome of one message that a tenant wanted to send. */
export type SendResult = AcceptResult | { readonly kind: 'refused'; readonly code: 'limit-reached' };

/** Stores messages for sending. */
export interface Acceptor {
  /**
   * Stores messages in the next group commit and wakes their accounts and webhooks. Answers in the order of the items.
   * Besides the refusals of the commit, a tenant with too many waiting messages gets `limit-reached`.
   */
  accept(items: readonly AcceptItem[]): Promise<readonly SendResult[]>;
  /** Stores one message that replaces a failed one. It has a commit of its own, because this is rare. */
  resend(item: AcceptItem, original: Original): Promise<SendResult>;
}

export interface AcceptorOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly settings: Pick<
    Settings,
    'idempotencyDays' | 'trialEnforcement' | 'emailVerification' | 'maxWaitingPerTenant'
  >;
}

const maxItems = 500;
/** Commits in flight at once: one is prepared while the other is written to disk. */
const concurrency = 2;

/**
 * The group commit. While one commit is in flight the next collects its calls. The messages of one call stay together,
 * so a call is stored whole or not at all. Wakes go out after the answer, and a failed wake is only a delay.
 */
export function createAcceptor(options: AcceptorOptions): Acceptor {
  const { db, settings } = options;
  const rules = {
    idempotencyDays: settings.idempotencyDays,
    blockExpiredTrials: settings.trialEnforcement === 'block',
    requireVerifiedEmail: settings.emailVerification === 'required',
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

/**
 * Whether refused items may be accepted after all, because some of them are repeats. A repeat adds no waiting message,
 * so it is answered even at the limit.
 */
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

/** Splits the results by call. */
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
