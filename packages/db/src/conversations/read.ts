import { lowestId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { isAllowed } from './allowed.ts';

export interface ReadMark {
  readonly tenantId: string;
  readonly conversationId: string;
  /** The only accounts whose conversations may be marked. Null: all. */
  readonly accountIds: readonly string[] | null;
  /** The newest message that was read; null for the newest of the conversation. */
  readonly messageId: string | null;
}

/** Messages were marked up to `through`, and were before up to `before`; each null without such a message. */
export interface Marked {
  readonly kind: 'marked';
  readonly through: string | null;
  readonly before: string | null;
}

/**
 * Marks the messages of a conversation as read up to this one. Never moves the mark back. `no-message`: the conversation
 * does not have the message. `no-conversation`: the tenant does not have the conversation.
 */
export async function markRead(
  db: Db,
  { tenantId, conversationId, accountIds, messageId }: ReadMark,
): Promise<Marked | 'no-message' | 'no-conversation'> {
  const chosen = messageId === null ? sql`` : sql`and m.message_id = ${messageId}::uuid`;
  const { rows } = await sql<{ through: string | null; before: string | null }>`
    select (
      select message_id from conversation_messages m
      where m.conversation_id = c.id ${chosen}
      order by message_id desc limit 1
    ) as through, c.read_through as before
    from conversations c
    where id = ${conversationId}::uuid and tenant_id = ${tenantId}::uuid and ${isAllowed(accountIds)}`.execute(
    db,
  );
  if (rows[0] === undefined) return 'no-conversation';
  const { through, before } = rows[0];
  if (through === null) return messageId === null ? { kind: 'marked', through, before } : 'no-message';
  await sql`
    update conversations set read_through = ${through}::uuid
    where id = ${conversationId}::uuid and tenant_id = ${tenantId}::uuid
      and (read_through is null or read_through < ${through}::uuid)`.execute(db);
  return { kind: 'marked', through, before };
}

/** The most messages whose writer is told at once that they were read. */
const maxTold = 50;

/** A message that the contact wrote. */
export interface Written {
  /** The provider's id. */
  readonly externalId: string;
  /** Its topic. Null without one. */
  readonly threadId: number | null;
}

/**
 * The inbound messages of a conversation up to `through`, newest first: those after `after`, or the
 * newest alone if there are none. Null as `through` means up to the newest. Reactions, which nobody reads, are left out.
 */
export async function writtenToTell(
  db: Db,
  {
    tenantId,
    conversationId,
    after,
    through,
  }: {
    readonly tenantId: string;
    readonly conversationId: string;
    readonly after: string | null;
    readonly through: string | null;
  },
): Promise<Written[]> {
  const upTo = through === null ? sql`` : sql`and message_id <= ${through}::uuid`;
  const { rows: written } = await sql<{ id: string }>`
    select message_id as id from conversation_messages
    where conversation_id = ${conversationId}::uuid and inbound ${upTo}
    order by message_id desc limit ${maxTold}`.execute(db);
  const ids = written.map(({ id }) => id);
  const { rows } = await sql<Written & { id: string }>`
    select id, external_id as "externalId", (body ->> 'threadId')::int as "threadId" from messages
    where id = any (${ids}::uuid[]) and tenant_id = ${tenantId}::uuid and external_id is not null and type <> 'reaction'
    order by id desc`.execute(db);
  const unread = rows.filter(({ id }) => id > (after ?? lowestId));
  return (unread.length > 0 ? unread : rows.slice(0, 1)).map(({ externalId, threadId }) => ({
    externalId,
    threadId,
  }));
}
