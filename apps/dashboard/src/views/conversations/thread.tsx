import { Button, Skeleton, Text } from '@mantine/core';
import type { Conversation, MessageDetails } from '@notify/sdk';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { dayText } from '../../parts/time/time-text.ts';
import { useNow } from '../../parts/time/time.tsx';
import { useZone } from '../../parts/time/zone.ts';
import { Bubble } from './bubble.tsx';
import { contactName } from './contact.ts';
import classes from './conversations.module.css';
import { daysOf } from './thread-entries.ts';
import { useMarkRead } from './use-mark-read.ts';
import type { LiveThread } from './use-thread.ts';

/** Within this distance of the end, in px, the reader follows what comes. */
const nearPx = 80;

/** The messages of a conversation by days, the newest at the end. Older ones are read on the way up. */
export function Thread({
  conversation,
  thread,
  tellSender,
  onReply,
}: {
  readonly conversation: Conversation;
  readonly thread: LiveThread;
  /** Whether the contact is told what was read. */
  readonly tellSender: boolean;
  /** Null where no reply is possible. */
  readonly onReply: ((message: MessageDetails) => void) | null;
}): ReactNode {
  const { query, items } = thread;
  const { box, isAtEnd, toEnd } = useKeptPlace(items, thread.isLoadingMore ? null : thread.more);
  useMarkRead(conversation, items, isAtEnd, tellSender);
  const unseen = useUnseen(items, isAtEnd);
  return (
    <div className={classes.messagesFrame}>
      <div
        ref={box}
        className={classes.messages}
        role="log"
        aria-label={`Messages with ${contactName(conversation)}`}
        tabIndex={0}
      >
        <Loaded query={query} what="the messages" skeleton={<Skeleton height={120} />}>
          {() => <Days conversation={conversation} thread={thread} onReply={onReply} />}
        </Loaded>
      </div>
      {unseen > 0 && (
        <Button size="compact-sm" radius="xl" className={classes.toEnd} onClick={toEnd}>
          {unseen === 1 ? '1 new message' : `${unseen} new messages`}
        </Button>
      )}
    </div>
  );
}

function Days({
  conversation,
  thread: { items, more, isLoadingMore, moreError },
  onReply,
}: {
  readonly conversation: Conversation;
  readonly thread: LiveThread;
  readonly onReply: ((message: MessageDetails) => void) | null;
}): ReactNode {
  const zone = useZone();
  const now = useNow();
  return (
    <>
      {more !== null && (
        <div className={classes.earlier}>
          {moreError !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {moreError.message}
            </Text>
          )}
          <Button variant="subtle" size="compact-sm" onClick={more} loading={isLoadingMore}>
            Show earlier messages
          </Button>
        </div>
      )}
      {items.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" m="auto">
          No messages yet.
        </Text>
      )}
      {daysOf(items, zone).map(({ day, at, entries }) => (
        <div key={day} role="group" aria-label={dayText(at, now, zone)} className={classes.day}>
          <p className={classes.dayName} aria-hidden>
            <span>{dayText(at, now, zone)}</span>
          </p>
          {entries.map((entry) => (
            <Bubble
              key={entry.message.messageId}
              entry={entry}
              conversation={conversation}
              onReply={onReply}
            />
          ))}
        </div>
      ))}
    </>
  );
}

/**
 * Keeps what is read in its place: at the end new messages stay in sight, and further up nothing moves when older ones are
 * put before it. Near the top it reads the next page.
 */
function useKeptPlace(items: readonly MessageDetails[], more: (() => void) | null) {
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const before = useRef({ oldest: '', height: 0, isAtEnd: true });
  const oldest = items.at(-1)?.messageId ?? '';
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { scrollHeight } = element;
    const was = before.current;
    if (was.isAtEnd) element.scrollTop = scrollHeight;
    else if (was.oldest !== oldest) element.scrollTop += scrollHeight - was.height;
    before.current = { ...was, oldest, height: scrollHeight };
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const nowAtEnd = scrollHeight - clientHeight - scrollTop < nearPx;
      before.current = { ...before.current, height: scrollHeight, isAtEnd: nowAtEnd };
      setAtEnd(nowAtEnd);
      if (scrollTop < nearPx && !nowAtEnd) more?.();
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [more]);
  return {
    box,
    isAtEnd,
    toEnd: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  };
}

/** How many messages have come since the reader left the end. */
function useUnseen(items: readonly MessageDetails[], isAtEnd: boolean): number {
  const newest = items[0]?.messageId ?? '';
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  if (isAtEnd || seen === '') return 0;
  return items.filter(({ messageId }) => messageId > seen).length;
}
