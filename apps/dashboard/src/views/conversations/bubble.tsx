import { ActionIcon, Text } from '@mantine/core';
import type { Conversation, MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CheckIcon, ClockIcon, CrossIcon, ReplyIcon, SendIcon } from '../../parts/icons.tsx';
import { absolute, timeOfDay } from '../../parts/time/time-text.ts';
import { useNow } from '../../parts/time/time.tsx';
import { useZone } from '../../parts/time/zone.ts';
import { failureAdvice } from '../messages/failure-advice.ts';
import { inShort } from '../messages/content/message-text.ts';
import { BubbleBody } from './bubble-body.tsx';
import { writerName } from './contact.ts';
import classes from './conversations.module.css';
import { type ThreadEntry, timeOf } from './thread-entries.ts';

/** One message of a thread, with what it answers, its reactions and what became of it. */
export function Bubble({
  entry: { message, reactions, pressed, quoted },
  conversation,
  onReply,
}: {
  readonly entry: ThreadEntry;
  readonly conversation: Conversation;
  readonly onReply: ((message: MessageDetails) => void) | null;
}): ReactNode {
  const { messageId, direction, replyTo, status, errorCode } = message;
  const writer = direction === 'inbound' ? writerName(message, conversation) : 'You';
  return (
    <article
      id={messageId}
      className={classes.message}
      data-direction={direction}
      tabIndex={-1}
      aria-label={`${writer}: ${inShort(message)}`}
    >
      <div className={classes.bubble}>
        {writer !== 'You' && isGroup(message, conversation) && <p className={classes.writer}>{writer}</p>}
        {replyTo !== null && <Quote quoted={quoted} replyTo={replyTo} conversation={conversation} />}
        <BubbleBody message={message} quoted={quoted} />
      </div>
      {(reactions.length > 0 || pressed.length > 0) && <Answers reactions={reactions} pressed={pressed} />}
      <p className={classes.meta}>
        <Details message={message} />
        {direction === 'outbound' && <Progress message={message} />}
        {onReply !== null && canQuote(message) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={`Reply to: ${inShort(message)}`}
            onClick={() => onReply(message)}
          >
            <ReplyIcon size={14} />
          </ActionIcon>
        )}
      </p>
      {status === 'failed' && (
        <Text size="xs" c="var(--mantine-color-error)" className={classes.failure}>
          {failureAdvice(errorCode)}
        </Text>
      )}
    </article>
  );
}

/** In a group the messages name people other than the conversation's contact. */
function isGroup(message: MessageDetails, conversation: Conversation): boolean {
  return writerName(message, conversation) !== writerName({ contact: null, from: null }, conversation);
}

/** A reaction or something we cannot show is no message that a person would see quoted. */
function canQuote({ type, status, direction }: MessageDetails): boolean {
  if (type === 'reaction' || type === 'unsupported') return false;
  return direction === 'inbound' || status === 'sent' || status === 'delivered';
}

/** Leads to the quoted message, in the thread if it has been read. */
function Quote({
  quoted,
  replyTo,
  conversation,
}: {
  readonly quoted: MessageDetails | null;
  readonly replyTo: string;
  readonly conversation: Conversation;
}): ReactNode {
  if (quoted === null)
    return (
      <Link to={`/messages/${replyTo}`} className={classes.quote}>
        Reply to an earlier message
      </Link>
    );
  const show = (): void => {
    const element = document.getElementById(quoted.messageId);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className={classes.quote} onClick={show}>
      <strong>{quoted.direction === 'inbound' ? writerName(quoted, conversation) : 'You'}</strong>
      <span>{inShort(quoted)}</span>
    </button>
  );
}

function Answers({
  reactions,
  pressed,
}: {
  readonly reactions: readonly string[];
  readonly pressed: readonly string[];
}): ReactNode {
  return (
    <ul className={classes.answers} aria-label="Reactions">
      {reactions.map((emoji, index) => (
        // Two people may react alike.
        <li key={index}>{emoji}</li>
      ))}
      {pressed.map((words, index) => (
        <li key={`pressed-${index}`}>Pressed: {words}</li>
      ))}
    </ul>
  );
}

/** The time, which leads to the message's page. */
function Details({ message }: { readonly message: MessageDetails }): ReactNode {
  const zone = useZone();
  const now = useNow();
  const at = timeOf(message);
  return (
    <Link to={`/messages/${message.messageId}`} className={classes.at} title={absolute(at, now, zone)}>
      <time dateTime={at.toISOString()}>{timeOfDay(at, zone)}</time>
    </Link>
  );
}

const progress = {
  queued: { Icon: ClockIcon, word: 'Queued' },
  sent: { Icon: SendIcon, word: 'Sent' },
  delivered: { Icon: CheckIcon, word: 'Delivered' },
  failed: { Icon: CrossIcon, word: 'Failed' },
} as const;

function Progress({
  message: { status, readAt, errorCode },
}: {
  readonly message: MessageDetails;
}): ReactNode {
  const { Icon, word } = progress[status];
  const shown = status === 'delivered' && readAt !== null ? 'Read' : word;
  return (
    <span className={classes.progress} data-status={status}>
      <Icon size={12} /> {shown}
      {status === 'failed' && errorCode !== null && `: ${errorCode}`}
    </span>
  );
}
