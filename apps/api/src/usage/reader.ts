import type { Db } from '@notify/db/connection';
import { readUsage, type Usage, type UsageQuery } from '@notify/db/usage';
import { createKeyedMutex } from '../keyed-mutex.ts';

/** Reads the figures of a tenant. */
export type UsageReader = (query: UsageQuery) => Promise<Usage>;

/**
 * Reads figures. Requests of one tenant run one after the other, so that no tenant takes all the dashboard's
 * connections.
 */
export function createUsageReader(db: Db): UsageReader {
  const runExclusive = createKeyedMutex();
  return (query) => runExclusive(query.tenantId, () => readUsage(db, query));
}
