import type { Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { learnAddresses } from '@notify/db/inbound';
import { createSharedCache, type SharedCache } from '@notify/turns';

/** Two addresses of one person, `from` known as `to`. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  /** Told of a send in the past. See `learnAddresses`. */
  readonly late?: boolean;
}

/** The most pairs that a process remembers. Accounts share the room, so one with many people flushes its own. */
const mostRemembered = 10_000;

/**
 * Keeps pairs of addresses. A provider tells a pair in each message of a person, so the ones that this process has kept are remembered
 * and cost nothing again.
 */
export interface Learner {
  readonly db: Db;
  readonly kept: SharedCache<string>;
  readonly wakeWebhooks: (webhooks: readonly Wake[]) => void;
}

/** Nothing is remembered at first. */
export function createLearner(db: Db, wakeWebhooks: Learner['wakeWebhooks']): Learner {
  return { db, kept: createSharedCache(mostRemembered), wakeWebhooks };
}

/** Keeps pairs of addresses that the provider of an account told, and wakes webhooks with new work. */
export async function learn(
  { db, kept, wakeWebhooks }: Learner,
  accountId: string,
  pairs: readonly Pair[],
): Promise<void> {
  const news = pairs.filter(({ from, to }) => kept.get(`${accountId} ${from}`) !== to);
  if (news.length === 0) return;
  const webhooks = await learnAddresses(
    db,
    news.map(({ from, to, late = false }) => ({ accountId, asked: from, known: to, late })),
  );
  for (const { from, to } of news) kept.set(accountId, `${accountId} ${from}`, to);
  wakeWebhooks(webhooks);
}
