import { mostAtOnce, slowAnswerMs } from '@notify/core';
import { type ClaimedDelivery, clearUndeliverable } from '@notify/db/webhooks';
import { reached, takeTurn } from '@notify/runtime';
import { deliver, type Delivering } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';

/**
 * One turn of a webhook: claims what is due, posts up to 8 deliveries at once, and ends when nothing has come for a while
 * or others wait. What it does not get to is found by the wake that follows every turn; so is a webhook of the other lane.
 */
export async function webhookTurn(webhookId: string, deps: WebhookDeps, signal: AbortSignal): Promise<void> {
  const claimed = await takeTurn<ClaimedDelivery>({
    id: webhookId,
    signal,
    permits: deps.posts,
    maxInFlight: () => mostAtOnce,
    othersWait: () => deps.othersWait(),
    async claim(limit, inFlight, settling) {
      const claims = (await deps.claim(webhookId, { limit, inFlight, settling })) ?? [];
      if (claims.length > 0) reached('webhook-claimed');
      return claims;
    },
    finish: (claim, claimedAt, slot) =>
      deliverInLane({ claimed: claim, claimedAt, slot, stopping: signal }, deps),
  });
  if (claimed === 0) await clearUndeliverable(deps.db, webhookId);
}

/** What hangs does not hold up the fast lane: 8 posts of every turn's slot bound it then. */
async function deliverInLane(job: Delivering, deps: WebhookDeps): Promise<void> {
  const slow = deps.lane === 'fast' ? setTimeout(job.slot.release, slowAnswerMs) : undefined;
  try {
    await deliver(job, deps);
  } catch (error) {
    // Nothing of the attempt is recorded; when its lease ends it is made again.
    deps.log.error({ err: error, deliveryId: job.claimed.id }, 'delivery attempt not settled');
  } finally {
    clearTimeout(slow);
  }
}
