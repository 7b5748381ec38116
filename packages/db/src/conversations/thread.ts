import { highestId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { findFittingMessages, type MessageRow } from '../messages/look-up.ts';
import { isAllowed } from './allowed.ts';

/** A page of the messages of a conversation. */
export interface ThreadPage {
  /** Newest first, in both directions. Ends early after 4 MB. Messages that have been deleted are missing. */
  readonly messages: readonly MessageRow[];
  /** The id to continue before. Null when no message is left. */
  readonly next: string | null;
}

export interface ThreadSearch {
  readonly tenantId: string;
  readonly conversationId: string;
  /** The only accounts whose conversations may be read. Null: all. */
  readonly accountIds: readonly string[] | null;
  /** Only messages older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The messages of a conversation. Null when the tenant has no conversation of that id. */
export async function readThread(
  db: Db,
  { tenantId, conversationId, accountIds, before = highestId, limit }: ThreadSearch,
): Promise<ThreadPage | null> {
  const { rows } = await db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    return sql<{ ids: string[] }>`
      select array(
        select message_id from conversation_messages where conversation_id = c.id and message_id < ${before}::uuid
        order by message_id desc limit ${limit + 1}
      ) as ids
      from conversations c
      where id = ${conversationId}::uuid and tenant_id = ${tenantId}::uuid and ${isAllowed(accountIds)}`.execute(
      trx,
    );
  });
  const ids = rows[0]?.ids;
  if (ids === undefined) return null;
  const shown = ids.slice(0, limit);
  const { messages, endedAt } = await findFittingMessages(db, tenantId, shown);
  return { messages, next: endedAt ?? (ids.length > limit ? shown.at(-1)! : null) };
}
