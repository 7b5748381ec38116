import type { Lane } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { claimDeliveries } from '@notify/db/webhooks';
import { traces } from '@notify/telemetry';
import { coalesceClaims, laneLabels } from '@notify/turns';
import { leaseSlackMs, postDeadlineMs } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';

/** Claims for the turns of one lane. One statement makes the claims of several turns. */
export function createClaimer(db: Db, lane: Lane): WebhookDeps['claim'] {
  const terms = { lane, leaseMs: postDeadlineMs + leaseSlackMs };
  return coalesceClaims(laneLabels({ kind: 'webhooks', lane }), (wanted) =>
    claimDeliveries(db, wanted, { ...terms, traced: traces.enabled }),
  );
}
