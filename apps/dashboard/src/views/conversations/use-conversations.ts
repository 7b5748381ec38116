import type { Conversation } from '@notify/sdk';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { type LiveList, useLiveList } from '../../api/live-list.ts';
import { isSameAddress, type LiveEvent } from '../../live/live-event.ts';
import { named } from '../../live/use-events.ts';
import { type ConversationFilter, queryOf } from './filter.ts';

const everyMs = 5_000;
const pageSize = 50;

/** What orders conversations: the ID of the newest message, which grows with time. */
export function orderOf({ lastMessage, id }: Pick<Conversation, 'lastMessage' | 'id'>): string {
  return (lastMessage?.messageId ?? id).replace(/^[a-z]+_/, '');
}

/** The conversations that match a filter, the one with the newest message first. */
export function useConversations(filter: ConversationFilter, isReading: boolean): LiveList<Conversation> {
  // The end of a span is fixed once, so that the pages fit together.
  const [openedMs] = useState(() => Date.now());
  const list: LiveList<Conversation> = useLiveList(
    'get /v1/conversations',
    { query: { ...queryOf(filter, openedMs), limit: pageSize } },
    {
      idOf: ({ id }) => id,
      orderOf,
      everyMs,
      isReading,
      on: (event) => concerns(event, list.items),
    },
  );
  return list;
}

/** A message that was sent concerns only the conversation that it belongs to, and most sends belong to none. */
function concerns(event: LiveEvent, shown: readonly Conversation[]): boolean {
  if (event.name === 'message.received' || event.name === 'contact.paired') return true;
  return shown.some((one) => isOf(event, one));
}

/** Whether an event is about a conversation. */
export function isOf(
  { accountId, messageId, from, to }: LiveEvent,
  {
    channelAccountId,
    to: address,
    lastMessage,
  }: Pick<Conversation, 'channelAccountId' | 'to' | 'lastMessage'>,
): boolean {
  if (messageId !== null && messageId === lastMessage?.messageId) return true;
  return accountId === channelAccountId && (isSameAddress(from, address) || isSameAddress(to, address));
}

/** How many conversations have unread messages; `isMore` if there may be others that were not looked at. */
export interface UnreadCount {
  readonly count: number;
  readonly isMore: boolean;
}

/** Counts the conversations with unread messages among the newest ones. */
export function unreadIn({
  data,
  nextCursor,
}: {
  readonly data: readonly Pick<Conversation, 'unread'>[];
  readonly nextCursor: string | null;
}): UnreadCount {
  const count = data.filter(({ unread }) => unread > 0).length;
  return { count, isMore: nextCursor !== null && count === data.length };
}

/** The conversations with unread messages, up to date. Undefined until they have been read. */
export function useUnread(): UnreadCount | undefined {
  const { data } = useRead(
    'get /v1/conversations',
    { query: { limit: pageSize } },
    { everyMs: 15_000, on: named('message.received', 'contact.paired') },
  );
  return data === undefined ? undefined : unreadIn(data);
}
