import type { Adapter } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { claimMessages } from '@notify/db/dispatch';
import type { Lane } from '@notify/queue';
import { gatherById } from '@notify/runtime';
import type { DispatchDeps } from './deps.ts';
import { leases } from './leases.ts';

/** Claims for the turns of one lane, in one statement what several ask for at once. */
export function createClaimer(
  db: Db,
  lane: Lane,
  adapters: ReadonlyMap<string, Adapter>,
): DispatchDeps['claim'] {
  const terms = { lane, leaseMs: leases(adapters) };
  return gatherById((wanted) => claimMessages(db, wanted, terms));
}
