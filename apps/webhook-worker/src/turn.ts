import { randomUUID } from 'node:crypto';
import { slowAnswerMs } from '@notify/core';
import { claimDeliveries, type ClaimedDelivery, clearUndeliverable } from '@notify/db';
import { reached } from '@notify/runtime';
import { deliver, leaseSlackMs, postDeadlineMs } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';
import { giveBack } from './give-back.ts';

/** A turn goes on while there is work, but not longer than this, nor over more deliveries, while others wait. */
const turnMs = 100;
const turnDeliveries = 50;
/** Posts to one webhook at once. */
const maxInFlight = 8;

/** What a turn keeps in mind while it runs. */
interface Turn {
  readonly webhookId: string;
  readonly beganAt: number;
  readonly underWay: Set<Promise<void>>;
  claimed: number;
}

/**
 * One turn of a webhook: claims what is due, posts up to 8 deliveries at once, and ends when nothing is due or others
 * wait. What it does not get to is found by the wake that follows every turn; so is a webhook of the other lane.
 */
export async function webhookTurn(webhookId: string, deps: WebhookDeps, signal: AbortSignal): Promise<void> {
  const turn = beginTurn(webhookId);
  try {
    while (goesOn(turn, deps, signal)) {
      const mayBeMore = await claimAndStart(turn, deps, signal);
      if (!mayBeMore) break;
      await untilSlotsAreFree(turn);
    }
  } finally {
    await Promise.all(turn.underWay);
  }
  if (turn.claimed === 0) await clearUndeliverable(deps.db, webhookId);
}

function beginTurn(webhookId: string): Turn {
  return { webhookId, beganAt: performance.now(), underWay: new Set(), claimed: 0 };
}

function goesOn(turn: Turn, deps: WebhookDeps, signal: AbortSignal): boolean {
  if (signal.aborted) return false;
  const hadItsShare = performance.now() - turn.beganAt >= turnMs || turn.claimed >= turnDeliveries;
  return !(hadItsShare && deps.othersWait());
}

/** Takes permits first and then as many deliveries, so that every claimed one is posted at once. */
async function claimAndStart(turn: Turn, deps: WebhookDeps, signal: AbortSignal): Promise<boolean> {
  const permits = await deps.posts.takeSome(maxInFlight - turn.underWay.size);
  if (signal.aborted) {
    for (const release of permits) release();
    return false;
  }
  const claimedAt = performance.now();
  let claims: ClaimedDelivery[] = [];
  try {
    claims = await claim(turn, deps, permits.length, signal);
  } finally {
    for (const release of permits.slice(claims.length)) release();
  }
  claims.forEach((claimed, index) => start(turn, deps, claimed, claimedAt, permits[index]!));
  return claims.length === permits.length;
}

async function claim(
  turn: Turn,
  deps: WebhookDeps,
  limit: number,
  signal: AbortSignal,
): Promise<ClaimedDelivery[]> {
  const claims = await claimDeliveries(deps.db, {
    webhookId: turn.webhookId,
    lane: deps.lane,
    limit,
    holder: randomUUID(),
    leaseMs: postDeadlineMs + leaseSlackMs,
  });
  if (claims.length > 0) reached('webhook-claimed');
  if (signal.aborted) {
    await giveBack(claims, deps);
    return [];
  }
  turn.claimed += claims.length;
  return claims;
}

function start(
  turn: Turn,
  deps: WebhookDeps,
  claimed: ClaimedDelivery,
  claimedAt: number,
  release: () => void,
): void {
  // What hangs does not hold up the fast lane: 8 posts of every turn's slot bound it then.
  const slow = deps.lane === 'fast' ? setTimeout(release, slowAnswerMs) : undefined;
  const done = deliver(claimed, claimedAt, release, deps)
    .catch((error: unknown) => {
      // Nothing of the attempt is recorded; when its lease ends it is made again.
      deps.log.error({ err: error, deliveryId: claimed.id }, 'delivery attempt not settled');
    })
    .finally(() => {
      clearTimeout(slow);
      release();
      turn.underWay.delete(done);
    });
  turn.underWay.add(done);
}

/** Waits for half of the slots, so that a claim is worth its round trip. */
async function untilSlotsAreFree(turn: Turn): Promise<void> {
  while (turn.underWay.size > maxInFlight / 2) await Promise.race(turn.underWay);
}
