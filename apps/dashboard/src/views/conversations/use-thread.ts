import type { Conversation, Message, MessageDetails } from '@notify/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type LiveList, listKeyOf, useLiveList } from '../../api/live-list.ts';
import { type Listed, withNewest } from '../../api/listed.ts';
import { detailsOf } from './sent-message.ts';
import { isOf } from './use-conversations.ts';

const everyMs = 4_000;
const pageSize = 50;

/** The messages of a conversation, newest first, and a way to add one that was just sent. */
export interface LiveThread extends LiveList<MessageDetails> {
  readonly add: (sent: Message, replyTo: string | null) => void;
}

/** The messages of a conversation, up to date. */
export function useThread(conversation: Conversation): LiveThread {
  const client = useQueryClient();
  const input = { path: { id: conversation.id }, query: { limit: pageSize } };
  const list: LiveList<MessageDetails> = useLiveList('get /v1/conversations/{id}/messages', input, {
    idOf,
    orderOf: idOf,
    everyMs,
    isReading: false,
    on: (event) =>
      isOf(event, conversation) || list.items.some(({ messageId }) => messageId === event.messageId),
  });
  return {
    ...list,
    add(sent, replyTo) {
      const key = listKeyOf('get /v1/conversations/{id}/messages', input);
      client.setQueryData<Listed<MessageDetails>>(key, (before) =>
        before === undefined ? before : withSent(before, detailsOf(sent, replyTo)),
      );
      void client.invalidateQueries({ queryKey: ['get /v1/conversations/{id}/messages', input] });
    },
  };
}

function idOf({ messageId }: MessageDetails): string {
  return messageId;
}

/** The list with a message that no answer has told of yet. */
function withSent(before: Listed<MessageDetails>, sent: MessageDetails): Listed<MessageDetails> {
  if (before.items.some(({ messageId }) => messageId === sent.messageId)) return before;
  const page = { data: [sent], nextCursor: null };
  return withNewest(before, page, { idOf, covers: () => false, isReading: false, keeps: () => true });
}
