import type { Db } from '@notify/db/connection';
import { readUsage, type Usage, type UsageQuery } from '@notify/db/usage';
import { createTurns } from '../messages/in-turn.ts';

/** Reads the figures of a tenant. */
export type UsageReader = (query: UsageQuery) => Promise<Usage>;

/** Reads figures, those of one tenant one after the other: nobody takes all the connections there are for it. */
export function createUsageReader(db: Db): UsageReader {
  const inTurn = createTurns();
  return (query) => inTurn(query.tenantId, () => readUsage(db, query));
}
