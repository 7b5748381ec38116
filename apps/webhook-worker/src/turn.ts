import { mostAtOnce, slowAnswerMs } from '@notify/core';
import { type ClaimedDelivery, clearUndeliverable } from '@notify/db/webhooks';
import { reached } from '@notify/runtime';
import type { Slot, TurnWork } from '@notify/turns';
import { deliver } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';

/** One turn of a webhook: claims due deliveries and posts up to 8 at once. */
export function webhookWork(webhookId: string, deps: WebhookDeps): TurnWork<ClaimedDelivery> {
  return {
    maxInFlight: () => mostAtOnce,
    ...(deps.settle.whenRoom && { whenRoom: deps.settle.whenRoom }),
    async claim(limits) {
      const claims = (await deps.claim(webhookId, limits)) ?? [];
      if (claims.length > 0) reached('webhook-claimed');
      if (claims.length > 0 && deps.log.tells('deliveries-claimed'))
        deps.log.tell('deliveries-claimed', { webhookId, deliveries: claims.length });
      return claims;
    },
    finish: (claimed, slot) => deliverInLane(claimed, slot, deps),
    nothingDue: () => clearUndeliverable(deps.db, webhookId),
  };
}

/** A hanging post releases its fast-lane permit after 2 s. Then only the turn's slots bound such posts, with 8 each. */
async function deliverInLane(claimed: ClaimedDelivery, slot: Slot, deps: WebhookDeps): Promise<void> {
  const slow = deps.lane === 'fast' ? setTimeout(slot.release, slowAnswerMs) : undefined;
  try {
    await deliver(claimed, slot, deps);
  } catch (error) {
    // The attempt is not recorded. It is made again when its lease ends.
    deps.log.tell('delivery-not-settled', { err: error, deliveryId: claimed.id });
  } finally {
    clearTimeout(slow);
  }
}
