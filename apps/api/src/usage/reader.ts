import type { Db } from '@notify/db/connection';
import { readUsage, type Usage, type UsageQuery } from '@notify/db/usage';
import type { ApiDeps } from '../deps.ts';
import { createTurns } from '../messages/in-turn.ts';

/** Reads figures, those of one tenant one after the other: nobody takes all the connections there are for it. */
export function createUsageReader(db: Db): ApiDeps['readUsage'] {
  const inTurn = createTurns();
  return (query: UsageQuery): Promise<Usage> => inTurn(query.tenantId, () => readUsage(db, query));
}
