import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

export interface ReadMark {
  readonly tenantId: string;
  readonly conversationId: string;
  /** The newest message that was read; null for the newest of the conversation. */
  readonly messageId: string | null;
}

/**
 * Marks the messages of a conversation as read up to this one. Never moves the mark back. `no-message`: the conversation
 * does not have the message. `no-conversation`: the tenant does not have the conversation.
 */
export async function markRead(
  db: Db,
  { tenantId, conversationId, messageId }: ReadMark,
): Promise<'marked' | 'no-message' | 'no-conversation'> {
  const chosen = messageId === null ? sql`` : sql`and m.message_id = ${messageId}::uuid`;
  const { rows } = await sql<{ through: string | null }>`
    select (
      select message_id from conversation_messages m
      where m.conversation_id = c.id ${chosen}
      order by message_id desc limit 1
    ) as through
    from conversations c where id = ${conversationId}::uuid and tenant_id = ${tenantId}::uuid`.execute(db);
  if (rows[0] === undefined) return 'no-conversation';
  const { through } = rows[0];
  if (through === null) return messageId === null ? 'marked' : 'no-message';
  await sql`
    update conversations set read_through = ${through}::uuid
    where id = ${conversationId}::uuid and tenant_id = ${tenantId}::uuid
      and (read_through is null or read_through < ${through}::uuid)`.execute(db);
  return 'marked';
}
