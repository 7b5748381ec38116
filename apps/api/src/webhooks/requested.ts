import { formatId } from '@notify/core';
import type { Redelivery } from '@notify/db/webhooks';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { wakeSoon, type Wakes } from '../wake.ts';

/** The Problem of a request that needs an enabled webhook and found it disabled or missing. */
export function refusal(kind: 'not-found' | 'disabled'): Problem {
  if (kind === 'not-found') return new Problem('not-found');
  return invalidRequest({ at: 'path/id', message: 'is a disabled webhook; enable it first' });
}

/** Wakes the webhook and answers the waiting delivery. Throws a Problem if there is none. */
export function requested(
  deps: Wakes,
  webhookId: string,
  redelivery: Redelivery,
): { deliveryId: string; eventId: string } {
  if (redelivery.kind !== 'waits') throw refusal(redelivery.kind);
  wakeSoon(deps, 'webhooks', { id: webhookId, lane: redelivery.lane });
  return {
    deliveryId: formatId('dlv', redelivery.deliveryId),
    eventId: formatId('evt', redelivery.eventId),
  };
}
