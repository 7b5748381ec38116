import { setTimeout as delay } from 'node:timers/promises';
import type { ReadUpdates } from '@notify/channels';
import { databaseFault } from '@notify/core';
import { isDatabaseAway } from '@notify/db/connection';
import type { StoredBatch } from '@notify/db/inbound';
import { type NewUpdates, storeUpdates } from '@notify/db/updates';
import { countInbound, inboundAccount, toConsent, traceStored, unreadable } from '@notify/dispatch';
import { reached } from '@notify/runtime';
import type { UpdatesDeps } from './deps.ts';
import type { Source } from './open.ts';

/** The wait before another try of a commit, in ms. */
const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * Stores what was read with the number from which to read on, and wakes the webhooks. False if the claim is over; then
 * nothing was stored. Throws if the database is away until then, or if it refuses the statement itself.
 */
export async function storeRead(
  source: Source,
  read: ReadUpdates,
  before: string | null,
  deps: UpdatesDeps,
): Promise<boolean> {
  const { inbound, moved, consents, next } = read;
  if (inbound.length + moved.length + consents.length === 0 && next === before) return true;
  const { claim } = source;
  const account = accountOf(source);
  const beganAt = performance.now();
  const stored = await store(
    source,
    {
      inbound: inbound.map((message) => ({ account, message })),
      moved: moved.map(({ from, to }) => ({ account, from, to })),
      consents: consents.map((one) => toConsent(account, one)),
      next,
    },
    before,
    deps,
  );
  if (stored === null) return false;
  reached('inbound-stored');
  traceStored([{ origin: null, results: stored.results }], beganAt);
  deps.wakeWebhooks(stored.webhooks);
  countInbound({ provider: claim.provider, inbound, consents, results: stored.results });
  if (inbound.length > 0) {
    const repeated = stored.results.filter(({ kind }) => kind === 'repeated').length;
    const { accountId } = claim;
    deps.log.tell('inbound-stored', { accountId, inbound: inbound.length, repeated });
  }
  read
    .acknowledge(source.context)
    .catch((error: unknown) =>
      deps.log.tell('buttons-not-acknowledged', { err: error, accountId: claim.accountId }),
    );
  return true;
}

/**
 * Stores all at once. If Postgres refuses what is in them, it stores one by one, and of a message that is at fault its
 * stand-in: Telegram would offer the message forever, and nothing behind it. Any other fault is thrown, and Telegram keeps
 * all of them.
 */
async function store(
  source: Source,
  updates: NewUpdates,
  before: string | null,
  deps: UpdatesDeps,
): Promise<StoredBatch | null> {
  const { accountId } = source.claim;
  try {
    return await commit(source, updates, deps);
  } catch (error) {
    if (databaseFault(error) !== 'data') throw error;
    deps.log.tell('inbound-divided', { err: error, accountId });
  }
  const all: StoredBatch[] = [];
  for (const single of divided(updates)) {
    const stored = await storeSingle(source, { ...single, next: before }, deps);
    if (stored === null) return null;
    all.push(stored);
  }
  const end = await commit(source, { inbound: [], moved: [], consents: [], next: updates.next }, deps);
  if (end === null) return null;
  return {
    results: all.flatMap(({ results }) => results),
    webhooks: all.flatMap(({ webhooks }) => webhooks),
  };
}

async function storeSingle(
  source: Source,
  single: NewUpdates,
  deps: UpdatesDeps,
): Promise<StoredBatch | null> {
  try {
    return await commit(source, single, deps);
  } catch (error) {
    const [refused] = single.inbound;
    if (databaseFault(error) !== 'data' || refused === undefined) throw error;
    const { accountId } = source.claim;
    deps.log.tell('inbound-unstorable', { err: error, accountId });
    const inbound = [{ ...refused, message: unreadable(refused.message) }];
    return commit(source, { ...single, inbound }, deps);
  }
}

/** Stores in one transaction. While the database is away or busy, it tries again until the claim is over. */
async function commit(
  source: Source,
  updates: NewUpdates,
  { db, log }: UpdatesDeps,
): Promise<StoredBatch | null> {
  const { claim, context } = source;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await storeUpdates(db, claim, updates);
    } catch (error) {
      if (!isDatabaseAway(error) || !source.isHeld()) throw error;
      log.tell('inbound-retried', { err: error, accountId: claim.accountId });
      // In a random time, so that two transactions which met in a deadlock do not meet again.
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: context.signal }).catch(
        () => undefined,
      );
    }
  }
}

function divided({ inbound, moved, consents }: NewUpdates): Omit<NewUpdates, 'next'>[] {
  const none = { inbound: [], moved: [], consents: [] };
  return [
    ...moved.map((move) => ({ ...none, moved: [move] })),
    ...inbound.map((message) => ({ ...none, inbound: [message] })),
    { ...none, consents },
  ];
}

function accountOf({ claim, account }: Source): NewUpdates['inbound'][number]['account'] {
  const { accountId: id, tenantId: tenant_id, channel, provider } = claim;
  return inboundAccount({ id, tenant_id, channel, provider }, account?.settings ?? {});
}
