import type { Db } from '@notify/db/connection';
import { type GroupPage, type GroupSearch, searchGroups } from '@notify/db/groups';
import { type MessagePage, type MessageSearch, searchMessages } from '@notify/db/messages';
import {
  searchVerifications,
  type VerificationPage,
  type VerificationSearch,
} from '@notify/db/verifications';
import { createKeyedMutex } from '../keyed-mutex.ts';

/** Finds what matches, the newest first, for as long as a request may search. */
type Searcher<Search, Page> = (search: Omit<Search, 'budgetMs'>) => Promise<Page>;

/** The searches of a tenant's lists. */
export interface Searches {
  readonly searchMessages: Searcher<MessageSearch, MessagePage>;
  readonly searchGroups: Searcher<GroupSearch, GroupPage>;
  readonly searchVerifications: Searcher<VerificationSearch, VerificationPage>;
}

/** How long one request may search, in ms. */
const budgetMs = 500;

/**
 * Opens the searches. Those of one tenant run one after the other, so that no tenant takes all the dashboard's connections.
 */
export function createSearches(db: Db): Searches {
  const runExclusive = createKeyedMutex();
  const searcher =
    <Search extends { readonly tenantId: string; readonly budgetMs: number }, Page>(
      find: (db: Db, search: Search) => Promise<Page>,
    ) =>
    (search: Omit<Search, 'budgetMs'>): Promise<Page> => {
      const limited = { ...search, budgetMs } as Search;
      return runExclusive(limited.tenantId, () => find(db, limited));
    };
  return {
    searchMessages: searcher(searchMessages),
    searchGroups: searcher(searchGroups),
    searchVerifications: searcher(searchVerifications),
  };
}
