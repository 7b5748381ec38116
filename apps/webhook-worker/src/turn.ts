import { mostAtOnce, slowAnswerMs } from '@notify/core';
import { type ClaimedDelivery, clearUndeliverable } from '@notify/db/webhooks';
import { reached } from '@notify/runtime';
import type { Slot, TurnWork } from '@notify/turns';
import { deliver } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';

/** One turn of a webhook: claims deliveries that are due and posts up to 8 at once. */
export function webhookWork(webhookId: string, deps: WebhookDeps): TurnWork<ClaimedDelivery> {
  return {
    maxInFlight: () => mostAtOnce,
    async claim(limits) {
      const claims = (await deps.claim(webhookId, limits)) ?? [];
      if (claims.length > 0) reached('webhook-claimed');
      return claims;
    },
    finish: (claimed, slot) => deliverInLane(claimed, slot, deps),
    nothingDue: () => clearUndeliverable(deps.db, webhookId),
  };
}

/** What hangs does not hold up the fast lane: 8 posts of every turn's slot bound it then. */
async function deliverInLane(claimed: ClaimedDelivery, slot: Slot, deps: WebhookDeps): Promise<void> {
  const slow = deps.lane === 'fast' ? setTimeout(slot.release, slowAnswerMs) : undefined;
  try {
    await deliver(claimed, slot, deps);
  } catch (error) {
    // Nothing of the attempt is recorded; when its lease ends it is made again.
    deps.log.error({ err: error, deliveryId: claimed.id }, 'delivery attempt not settled');
  } finally {
    clearTimeout(slow);
  }
}
