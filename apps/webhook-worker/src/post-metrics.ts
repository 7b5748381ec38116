import { type Lane, timeOfId } from '@notify/core';
import type { ClaimedDelivery } from '@notify/db/webhooks';
import { metrics } from '@notify/telemetry';
import type { PostResult } from './decide-delivery.ts';

type PostOutcome = (typeof metrics.postOutcomes)[number];

/** How many events a post has. */
export function eventsOf({ pack }: ClaimedDelivery): number {
  return pack === undefined ? 1 : pack.deliveryIds.length;
}

/**
 * Counts and times a post that has ended. `waitedMs` is the time from its claim to its end. The first post of a delivery
 * also tells how long its event waited, by the database's clock. Events of packs are left out there, because they wait for each other.
 */
export function countPost(claimed: ClaimedDelivery, lane: Lane, result: PostResult, waitedMs: number): void {
  const outcome = outcomeOf(result);
  metrics.posts.ended.inc({ outcome });
  metrics.posts.duration.observe({ outcome }, result.durationMs / 1_000);
  if (claimed.pack !== undefined) metrics.posts.packEvents.observe(eventsOf(claimed));
  if (claimed.pack !== undefined || claimed.attempts > 0 || claimed.isTest || !isAttempt(outcome)) return;
  const ageMs = claimed.claimedAt.getTime() + waitedMs - timeOfId(claimed.id);
  metrics.posts.toPosted.observe({ lane }, Math.max(0, ageMs) / 1_000);
}

/** Posts that our side ended are made again, and count as no attempt. */
function isAttempt(outcome: PostOutcome): boolean {
  return outcome !== 'proxy' && outcome !== 'aborted';
}

function outcomeOf(result: PostResult): PostOutcome {
  if (result.ok) return classOf(result.status);
  switch (result.error) {
    case 'timeout':
    case 'blocked':
    case 'proxy':
    case 'aborted':
      return result.error;
    case 'secret-unreadable':
      return 'unsigned';
    case 'refused':
    case 'dns':
    case 'tls':
      return 'refused';
    case 'reset':
    case 'protocol':
    case 'too-large':
      return 'broken';
  }
}

function classOf(status: number): PostOutcome {
  if (status < 300) return status < 200 ? 'broken' : '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
