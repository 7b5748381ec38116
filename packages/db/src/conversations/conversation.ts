import { type Channel, type ContactProfile, lowestId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { earlierKeyOf, keysOf } from '../consents/recipient-key.ts';

/** A conversation as it is now. */
export interface ConversationRow {
  readonly id: string;
  readonly account_id: string;
  readonly channel: Channel;
  /** The provider of the account, which may have been removed. */
  readonly provider: string;
  readonly address: string;
  readonly profile: ContactProfile | null;
  readonly latest_id: string;
  readonly last_inbound_at: Date | null;
  readonly created_at: Date;
  /** Inbound messages after the last read one, at most 100. */
  readonly unread: number;
  /** Null if the contact paired and nobody has written, or if the messages have been deleted. */
  readonly last_message_id: string | null;
  /** Sends to the contact are spread out until then. Null if they leave at once. */
  readonly slowed_until: Date | null;
  /** Whether the contact opted out of the account's messages, so that sends fail. */
  readonly opted_out: boolean;
}

/** The most unread messages that are counted. */
const maxUnread = 100;

/** The unread messages of the conversation of this name, in SQL. */
export function unreadOf(conversation: string): RawBuilder<unknown> {
  const field = (name: string) => sql.ref(`${conversation}.${name}`);
  return sql`conversation_messages m
    where m.conversation_id = ${field('id')} and m.inbound and m.message_id > coalesce(${field('read_through')}, ${lowestId}::uuid)`;
}

/**
 * Reads chosen rows of `conversations`, named `c`, the newest first: three look-ups by index for each one.
 */
export function readConversations(chosen: RawBuilder<unknown>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select c.id, c.account_id, c.channel, a.provider, c.address, c.profile, c.latest_id, c.last_inbound_at, c.created_at,
      case when c.slow_until > now() then c.slow_until end as slowed_until,
      (
        select count(*)::int from (select from ${unreadOf('c')} limit ${maxUnread}) unread
      ) as unread,
      exists (
        select from suppressions s where s.account_id = c.account_id and s.recipient = any (
          ${keysOf(sql`c.channel`, sql`c.contact`)} || ${earlierKeyOf(sql`c.channel`, sql`c.address`)}
        )
      ) as opted_out,
      (
        select m.message_id from conversation_messages m where m.conversation_id = c.id
        order by m.message_id desc limit 1
      ) as last_message_id
    from (${chosen}) c join channel_accounts a on a.id = c.account_id
    order by c.latest_id desc`;
}
