import { sql } from 'kysely';
import type { ExportKinds } from './export-kinds.ts';

/** Conversations, and who may be written to. */
export const conversationKinds: ExportKinds = {
  conversations: (id) => sql`
    select 'cnv_' || id as id, account_id as "channelAccountId", channel, address as contact, profile,
      last_inbound_at as "lastInboundAt", 'msg_' || read_through as "readThrough", created_at as "createdAt"
    from conversations where tenant_id = ${id}::uuid order by conversations.id`,
  'conversation-messages': (id) => sql`
    select 'cnv_' || c.id as "conversationId", 'msg_' || m.message_id as "messageId"
    from conversations c join conversation_messages m on m.conversation_id = c.id
    where c.tenant_id = ${id}::uuid order by m.conversation_id, m.message_id`,
  consents: (id) => sql`
    select account_id as "channelAccountId", coalesce(address, recipient) as recipient, status, source,
      changed_at as "changedAt", said_at as "saidAt"
    from consents where tenant_id = ${id}::uuid order by account_id, consents.recipient`,
  'consent-changes': (id) => sql`
    select account_id as "channelAccountId", recipient, status, source, 'msg_' || message_id as "messageId",
      note, changed_at as "changedAt"
    from consent_changes where tenant_id = ${id}::uuid order by id`,
};
