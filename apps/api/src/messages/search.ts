import type { Db } from '@notify/db/connection';
import { type MessagePage, type MessageSearch, searchMessages } from '@notify/db/messages';
import type { ApiDeps } from '../deps.ts';
import { createTurns } from './in-turn.ts';

/** How long one request may look for messages, in ms. */
const budgetMs = 500;

/** Searches messages, those of one tenant one after the other: nobody takes all the connections there are for it. */
export function createMessageSearch(db: Db): ApiDeps['searchMessages'] {
  const inTurn = createTurns();
  return (search: Omit<MessageSearch, 'budgetMs'>): Promise<MessagePage> =>
    inTurn(search.tenantId, () => searchMessages(db, { ...search, budgetMs }));
}
