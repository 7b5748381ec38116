import { type NextDelivery, nextDeliveries } from '@notify/db';
import { type Lane, type RunningTurns, runTurns, type TurnOptions } from '@notify/queue';
import { createAllowance, createBatcher, type Settings } from '@notify/runtime';
import type { WebhookDeps } from './deps.ts';
import { webhookTurn } from './turn.ts';

/** What both lanes share. */
export type LaneDeps = Omit<WebhookDeps, 'lane' | 'posts' | 'othersWait' | 'random'> & {
  readonly queue: Pick<TurnOptions, 'redisUrl' | 'databaseUrl' | 'partitions' | 'onError'>;
  readonly limits: Pick<Settings, 'maxCallsInFlight' | 'turnSlots'>;
};

/** Takes the turns of one lane. Slots and posts in flight are the lane's own, so that the slow one cannot hold up the fast. */
export function runLane(lane: Lane, { queue, limits, ...shared }: LaneDeps): RunningTurns {
  const posts = createAllowance(limits.maxCallsInFlight);
  const deps = { ...shared, lane, posts, random: Math.random };
  const next = createBatcher<string, NextDelivery | null>({
    maxItems: 200,
    run: async (ids) => {
      const found = new Map((await nextDeliveries(deps.db, ids)).map((one) => [one.webhookId, one]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  return runTurns({
    ...queue,
    log: deps.log,
    kind: 'webhooks',
    lane,
    slots: limits.turnSlots,
    turn: (id, { signal, saturated }) =>
      webhookTurn(id, { ...deps, othersWait: () => saturated() || posts.waiting > 0 }, signal),
    nextDueMs: (id) => next.add(id),
  });
}
