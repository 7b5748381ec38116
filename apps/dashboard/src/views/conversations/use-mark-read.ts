import type { Conversation, MessageDetails } from '@notify/sdk';
import { useEffect, useRef } from 'react';
import { useChange } from '../../api/hooks.ts';

/** Marks a conversation as read while its newest message is in sight, and tells the contact if `tellSender`. */
export function useMarkRead(
  { id, unread }: Pick<Conversation, 'id' | 'unread'>,
  items: readonly MessageDetails[],
  isAtEnd: boolean,
  tellSender: boolean,
): void {
  const { mutate } = useChange('post /v1/conversations/{id}/read', {
    refresh: ['get /v1/conversations', 'get /v1/conversations/{id}'],
  });
  const marked = useRef('');
  const newest = items.find(({ direction }) => direction === 'inbound')?.messageId ?? '';
  useEffect(() => {
    const mark = (): void => {
      const isSeen = isAtEnd && document.visibilityState === 'visible';
      if (!isSeen || unread === 0 || newest <= marked.current) return;
      marked.current = newest;
      mutate(
        { path: { id }, body: { messageId: newest, tellSender } },
        // Tried again with the next message, or the next time the tab is shown.
        { onError: () => (marked.current = '') },
      );
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [id, unread, newest, isAtEnd, tellSender, mutate]);
}
