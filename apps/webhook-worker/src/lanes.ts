import type { Lane } from '@notify/core';
import { nextDeliveries, type NextDelivery } from '@notify/db/webhooks';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { coalesceById, createPermits, type LaneTurns, openLane } from '@notify/turns';
import { createClaimer } from './claim.ts';
import type { WebhookDeps } from './deps.ts';
import { webhookWork } from './turn.ts';

/** The dependencies that both lanes share. */
export type LaneDeps = Omit<WebhookDeps, 'lane' | 'claim' | 'random'> & {
  readonly queue: WakerOptions;
  readonly limits: Pick<Settings, 'maxPostsInFlight' | 'turnSlots'>;
};

/** Takes the turns of webhooks in one lane. */
export function openWebhookLane(lane: Lane, { queue, limits, ...shared }: LaneDeps): LaneTurns {
  const deps = { ...shared, lane, claim: createClaimer(shared.db, lane), random: Math.random };
  const lookUp = coalesceById<null, NextDelivery>(
    async (wanted) =>
      new Map((await nextDeliveries(deps.db, [...wanted.keys()])).map((one) => [one.webhookId, one])),
  );
  const opened = openLane({
    ...queue,
    kind: 'webhooks',
    lane,
    slots: limits.turnSlots,
    permits: createPermits(limits.maxPostsInFlight),
    work: (id) => webhookWork(id, deps),
    nextDue: (id) => lookUp(id, null),
    log: deps.log,
  });
  opened.addAll();
  return opened;
}
