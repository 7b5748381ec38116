import type { Adapter } from '@notify/channels';
import { type Conversation } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { ConversationRow } from '@notify/db/conversations';
import { findFittingMessages } from '@notify/db/messages';
import Type from 'typebox';
import { adapterOf } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { toDetails } from '../sending/message-details.ts';

/** Path parameters of the routes of one conversation. */
export const ConversationParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no conversation id. */
export function readConversationId(text: string): string {
  return found(parseId('cnv', text));
}

/** Whether a caller with these accounts may see the conversation. Null: all accounts. */
export function isOf(row: ConversationRow | null, accountIds: readonly string[] | null): boolean {
  return row !== null && (accountIds === null || accountIds.includes(row.account_id));
}

/** The cursor that continues before this id. */
export function toCursor(next: string | null): string | null {
  return next === null ? null : formatId('msg', next);
}

/** Conversations of a tenant as the API shows them, with their last messages: as many as fit into a page, at least one. */
export async function toConversations(
  rows: readonly ConversationRow[],
  tenantId: string,
  deps: { readonly dashboardDb: Db; readonly adapters: ReadonlyMap<string, Adapter> },
): Promise<Conversation[]> {
  const ids = rows.flatMap((row) => row.last_message_id ?? []);
  const { messages, endedAt } = await findFittingMessages(deps.dashboardDb, tenantId, ids);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const fitting = rows.slice(
    0,
    endedAt === null ? undefined : rows.findIndex((row) => row.last_message_id === endedAt) + 1,
  );
  return fitting.map((row) => {
    const last = row.last_message_id === null ? undefined : byId.get(row.last_message_id);
    return {
      id: formatId('cnv', row.id),
      channel: row.channel,
      channelAccountId: row.account_id,
      contact: row.profile,
      to: row.address,
      unread: row.unread,
      windowExpiresAt: windowEnd(row, deps)?.toISOString() ?? null,
      slowedUntil: row.slowed_until?.toISOString() ?? null,
      optedOut: row.opted_out,
      lastMessage: last === undefined ? null : toDetails(last),
      lastInboundAt: row.last_inbound_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
    };
  });
}

/** Until when the provider takes free text. Null if it has no window, or if nobody has written. */
function windowEnd(
  { provider, last_inbound_at: lastInboundAt }: ConversationRow,
  deps: { readonly adapters: ReadonlyMap<string, Adapter> },
): Date | null {
  const { replyWindowMs } = adapterOf(deps, provider).capabilities;
  if (replyWindowMs === undefined || lastInboundAt === null) return null;
  return new Date(lastInboundAt.getTime() + replyWindowMs);
}
