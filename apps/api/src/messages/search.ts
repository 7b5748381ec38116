import type { Db } from '@notify/db/connection';
import { type MessagePage, type MessageSearch, searchMessages } from '@notify/db/messages';
import { createTurns } from './in-turn.ts';

/** Finds the newest messages of a tenant that fit. */
export type MessageSearcher = (search: Omit<MessageSearch, 'budgetMs'>) => Promise<MessagePage>;

/** How long one request may look for messages, in ms. */
const budgetMs = 500;

/** Searches messages, those of one tenant one after the other: nobody takes all the connections there are for it. */
export function createMessageSearch(db: Db): MessageSearcher {
  const inTurn = createTurns();
  return (search) => inTurn(search.tenantId, () => searchMessages(db, { ...search, budgetMs }));
}
