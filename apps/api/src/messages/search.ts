import type { Db } from '@notify/db/connection';
import { createKeyedMutex } from '../admission/keyed-mutex.ts';

/** The searches of tenants' lists. Those of one tenant run one after the other, so that no tenant takes all the connections. */
export interface Searches {
  readonly db: Db;
  readonly runExclusive: ReturnType<typeof createKeyedMutex>;
}

/** How long one request may search, in ms. */
const budgetMs = 500;

/** Opens the searches of one process. */
export function createSearches(db: Db): Searches {
  return { db, runExclusive: createKeyedMutex() };
}

/** Finds what matches by `find`, the newest first, for as long as a request may search. */
export function searchWithin<Search extends { readonly tenantId: string; readonly budgetMs: number }, Page>(
  { db, runExclusive }: Searches,
  find: (db: Db, search: Search) => Promise<Page>,
  search: Omit<Search, 'budgetMs'>,
): Promise<Page> {
  const limited = { ...search, budgetMs } as Search;
  return runExclusive(limited.tenantId, () => find(db, limited));
}
