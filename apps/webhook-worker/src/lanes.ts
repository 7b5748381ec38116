import type { Lane } from '@notify/core';
import { nextDeliveries } from '@notify/db/webhooks';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { createPermits, type LaneTurns, openLane } from '@notify/turns';
import { createClaimer } from './delivery-claimer.ts';
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
  const opened = openLane({
    ...queue,
    kind: 'webhooks',
    lane,
    slots: limits.turnSlots,
    permits: createPermits(limits.maxPostsInFlight),
    work: (id) => webhookWork(id, deps),
    nextDue: (ids) => nextDeliveries(deps.db, ids),
    log: deps.log,
  });
  opened.addAll();
  return opened;
}
