import { type NextDelivery, nextDeliveries } from '@notify/db/webhooks';
import { type Lane, type RunningTurns, runTurns, type TurnOptions } from '@notify/queue';
import { createAllowance, gatherById, type Settings } from '@notify/runtime';
import { createClaimer } from './claim.ts';
import type { WebhookDeps } from './deps.ts';
import { webhookTurn } from './turn.ts';

/** What both lanes share. */
export type LaneDeps = Omit<WebhookDeps, 'lane' | 'claim' | 'posts' | 'othersWait' | 'random'> & {
  readonly queue: Pick<TurnOptions, 'redisUrl' | 'databaseUrl' | 'partitions' | 'onError'>;
  readonly limits: Pick<Settings, 'maxPostsInFlight' | 'turnSlots'>;
};

/** Takes the turns of one lane. Slots and posts in flight are the lane's own, so that the slow one cannot hold up the fast. */
export function runLane(lane: Lane, { queue, limits, ...shared }: LaneDeps): RunningTurns {
  const posts = createAllowance(limits.maxPostsInFlight);
  const deps = { ...shared, lane, posts, claim: createClaimer(shared.db, lane), random: Math.random };
  const lookUp = gatherById<null, NextDelivery>(
    async (wanted) =>
      new Map((await nextDeliveries(deps.db, [...wanted.keys()])).map((one) => [one.webhookId, one])),
  );
  return runTurns({
    ...queue,
    log: deps.log,
    kind: 'webhooks',
    lane,
    slots: limits.turnSlots,
    turn: (id, { signal, saturated }) => webhookTurn(id, { ...deps, othersWait: saturated }, signal),
    async nextDueMs(id) {
      const next = await lookUp(id, null);
      if (next === null || next.delayMs > 0) posts.done(id);
      return next;
    },
  });
}
