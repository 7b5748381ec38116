import { timeOfId } from '@notify/core';
import type { Db } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { idRange, walkDown } from '../connection/walk-down.ts';
import type { MessageFilter } from './filter.ts';
import { findFittingMessages, type MessageRow } from './look-up.ts';
import { takeStep } from './search-steps.ts';

/** A search of a tenant's messages, and how long it may take. */
export interface MessageSearch {
  readonly tenantId: string;
  readonly filter: MessageFilter;
  /** Only messages older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** When to return the messages found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
}

/** The messages that a search has found so far, newest first. */
export interface MessagePage {
  readonly messages: readonly MessageRow[];
  /** The value of `before` that continues the search. Null when no older message is left. */
  readonly next: string | null;
}

/**
 * The matching messages, newest first. An index per filter would make every send dearer. Instead the search walks the
 * tenant's messages from the newest on, by their one index, in steps of a bounded number of rows. Where the filter names
 * few messages, it looks at those only (`search-steps.ts`). It ends when the page is full or large, no message is left, or
 * the budget is used up. So a page may be short or empty and still have a `next`.
 */
export async function searchMessages(db: Db, search: MessageSearch): Promise<MessagePage> {
  const { ids, next } = await db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const { filter, limit, budgetMs } = search;
    const { from, before } = idRange(filter, search.before);
    return walkDown({ before, limit, budgetMs, isAny: isAny(filter) }, (span) =>
      takeStep(trx, search, { ...span, from }),
    );
  });
  const { messages, endedAt } = await findFittingMessages(db, search.tenantId, ids);
  return { messages, next: endedAt ?? next };
}

/** Whether nearly every message matches, so that the first rows are most likely the page. */
function isAny({ direction, from: _from, until: _until, ...filters }: MessageFilter): boolean {
  return direction !== 'inbound' && Object.values(filters).every((filter) => filter === undefined);
}

/** The time that a search has reached if it continues before this id. */
export function searchedTo(next: string): Date {
  return new Date(timeOfId(next));
}
