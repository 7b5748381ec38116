import type { Db } from '@notify/db/connection';
import { claimDeliveries } from '@notify/db/webhooks';
import type { Lane } from '@notify/queue';
import { gatherById } from '@notify/runtime';
import { leaseSlackMs, postDeadlineMs } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';

/** Claims for the turns of one lane, in one statement what several ask for at once. */
export function createClaimer(db: Db, lane: Lane): WebhookDeps['claim'] {
  const terms = { lane, leaseMs: postDeadlineMs + leaseSlackMs };
  return gatherById((wanted) => claimDeliveries(db, wanted, terms));
}
