import { type Channel, type ContactProfile, lowestId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

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
}

/** The most unread messages that are counted. */
const maxUnread = 100;

/**
 * Reads chosen rows of `conversations`, named `c`, the newest first: two look-ups in the index of each one's messages.
 */
export function readConversations(chosen: RawBuilder<unknown>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select c.id, c.account_id, c.channel, a.provider, c.address, c.profile, c.latest_id, c.last_inbound_at, c.created_at,
      case when c.slow_until > now() then c.slow_until end as slowed_until,
      (
        select count(*)::int from (
          select from conversation_messages m
          where m.conversation_id = c.id and m.inbound and m.message_id > coalesce(c.read_through, ${lowestId}::uuid)
          limit ${maxUnread}
        ) unread
      ) as unread,
      (
        select m.message_id from conversation_messages m where m.conversation_id = c.id
        order by m.message_id desc limit 1
      ) as last_message_id
    from (${chosen}) c join channel_accounts a on a.id = c.account_id
    order by c.latest_id desc`;
}
