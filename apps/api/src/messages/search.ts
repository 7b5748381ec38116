import type { Db } from '@notify/db/connection';
import { type MessagePage, type MessageSearch, searchMessages } from '@notify/db/messages';
import { createKeyedMutex } from '../keyed-mutex.ts';

/** Finds a tenant's newest matching messages. */
export type MessageSearcher = (search: Omit<MessageSearch, 'budgetMs'>) => Promise<MessagePage>;

/** How long one request may search messages, in ms. */
const budgetMs = 500;

/**
 * Searches messages. Searches of one tenant run one after the other, so that no tenant takes all the dashboard's
 * connections.
 */
export function createMessageSearch(db: Db): MessageSearcher {
  const runExclusive = createKeyedMutex();
  return (search) => runExclusive(search.tenantId, () => searchMessages(db, { ...search, budgetMs }));
}
