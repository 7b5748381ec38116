import type { Db } from '@notify/db/connection';
import { readUsage, type Usage, type UsageQuery } from '@notify/db/usage';
import { createKeyedMutex } from '../admission/keyed-mutex.ts';

/** Reads figures. Requests of one tenant run one after the other, so that no tenant takes all the dashboard's connections. */
export interface UsageReader {
  readonly db: Db;
  readonly runExclusive: ReturnType<typeof createKeyedMutex>;
}

/** Opens the reader of one process. */
export function createUsageReader(db: Db): UsageReader {
  return { db, runExclusive: createKeyedMutex() };
}

/** Reads the figures of a tenant. */
export function readFigures({ db, runExclusive }: UsageReader, query: UsageQuery): Promise<Usage> {
  return runExclusive(query.tenantId, () => readUsage(db, query));
}
