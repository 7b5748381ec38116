import type { Adapter } from '@notify/channels';
import type { Lane } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { claimMessages } from '@notify/db/dispatch';
import { traces } from '@notify/telemetry';
import { coalesceClaims, laneLabels } from '@notify/turns';
import type { DispatchDeps } from './deps.ts';
import { leases } from './leases.ts';

/** Claims for the turns of one lane. One statement makes the claims of several turns. */
export function createClaimer(
  db: Db,
  lane: Lane,
  adapters: ReadonlyMap<string, Adapter>,
): DispatchDeps['claim'] {
  const terms = { lane, leaseMs: leases(adapters) };
  return coalesceClaims(laneLabels({ kind: 'dispatch', lane }), (wanted) =>
    claimMessages(db, wanted, { ...terms, traced: traces.enabled }),
  );
}
