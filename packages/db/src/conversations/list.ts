import { type Channel, highestId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { personKeys } from '../consents/recipient-key.ts';
import { type ConversationRow, readConversations } from './conversation.ts';

/** The conversations of a tenant to list. An undefined field matches all. */
export interface ConversationSearch {
  readonly tenantId: string;
  readonly channel?: Channel | undefined;
  readonly accountId?: string | undefined;
  /** Only the conversations with this contact, in any spelling. */
  readonly contact?: string | undefined;
  /** Only conversations whose `latest_id` is lower. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationRow[];
  /** The value of `before` that continues the list. Null when no conversation is left. */
  readonly next: string | null;
}

/** The conversations with the newest messages first. A conversation that gets a message meanwhile moves to the front. */
export async function listConversations(db: Db, search: ConversationSearch): Promise<ConversationPage> {
  const { rows } = await readConversations(newestOf(search)).execute(db);
  const conversations = rows.slice(0, search.limit);
  return {
    conversations,
    next: rows.length > search.limit ? conversations.at(-1)!.latest_id : null,
  };
}

/** One row more than the page, which tells whether there is a next one. */
function newestOf({
  tenantId,
  channel,
  accountId,
  contact,
  before = highestId,
  limit,
}: ConversationSearch): RawBuilder<unknown> {
  const rows = limit + 1;
  const withContact =
    contact === undefined
      ? sql``
      : sql`and contact = any (${personKeys(sql`a.id`, sql`a.channel`, contact)})`;
  if (accountId === undefined && channel === undefined && contact === undefined)
    return sql`
      select * from conversations where tenant_id = ${tenantId}::uuid and latest_id < ${before}::uuid
      order by tenant_id desc, latest_id desc limit ${rows}`;
  // A tenant has few accounts, and each has its own conversations in order.
  return sql`
    select newest.* from channel_accounts a cross join lateral (
      select * from conversations where account_id = a.id and latest_id < ${before}::uuid ${withContact}
      order by account_id desc, latest_id desc limit ${rows}
    ) newest
    where a.tenant_id = ${tenantId}::uuid and coalesce(a.id = ${accountId ?? null}::uuid, true)
      and coalesce(a.channel = ${channel ?? null}::text, true)
    order by newest.latest_id desc limit ${rows}`;
}

/** One conversation, or null when the tenant has none of that id. */
export async function findConversation(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ConversationRow | null> {
  const chosen = sql`select * from conversations where id = ${id}::uuid and tenant_id = ${tenantId}::uuid`;
  return (await readConversations(chosen).execute(db)).rows[0] ?? null;
}
