import type { MessageDetails } from '@notify/sdk';
import { dayNumber } from '../../parts/time/time-text.ts';
import { pressedTitle } from '../messages/content/message-text.ts';

/** A message of a thread, with what belongs to it. */
export interface ThreadEntry {
  readonly message: MessageDetails;
  /** The reactions that the message has now, in the order in which they came. */
  readonly reactions: readonly string[];
  /** The titles of its buttons and rows that were pressed. */
  readonly pressed: readonly string[];
  /** The message that this one answers; null if it answers none, or one that has not been read. */
  readonly quoted: MessageDetails | null;
}

/** The messages of one day. */
export interface ThreadDay {
  readonly day: number;
  /** A time on that day. */
  readonly at: Date;
  readonly entries: readonly ThreadEntry[];
}

/** When a message was stored. */
export function timeOf({ receivedAt, createdAt }: Pick<MessageDetails, 'receivedAt' | 'createdAt'>): Date {
  return new Date(receivedAt ?? createdAt);
}

/**
 * A thread by days, oldest first. `messages` are newest first, as the api lists them. A reaction is part of the message
 * that it belongs to. If that one has not been read, the reaction stands for itself.
 */
export function daysOf(messages: readonly MessageDetails[], zone: string): ThreadDay[] {
  const days: { day: number; at: Date; entries: ThreadEntry[] }[] = [];
  for (const entry of entriesOf(messages)) {
    const at = timeOf(entry.message);
    const day = dayNumber(at, zone);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, at, entries: [entry] });
  }
  return days;
}

function entriesOf(newestFirst: readonly MessageDetails[]): ThreadEntry[] {
  const messages = newestFirst.toReversed();
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  const targetOf = ({ replyTo }: MessageDetails): MessageDetails | null =>
    replyTo === null ? null : (byId.get(replyTo) ?? null);
  const answers = Map.groupBy(messages, ({ replyTo }) => replyTo);
  return messages
    .filter((message) => !('emoji' in message.body) || targetOf(message) === null)
    .map((message) => {
      const its = answers.get(message.messageId) ?? [];
      return {
        message,
        reactions: reactionsIn(its),
        pressed: its.flatMap(({ body }) => ('payload' in body ? [pressedTitle(body, message)] : [])),
        quoted: targetOf(message),
      };
    });
}

/** A person has one reaction to a message: the latest, or none once it was taken back. */
function reactionsIn(answers: readonly MessageDetails[]): string[] {
  const byWriter = new Map<string, string>();
  for (const { body, from, contact, direction } of answers) {
    if (!('emoji' in body)) continue;
    const writer = JSON.stringify([direction, from, contact]);
    byWriter.delete(writer);
    if (body.emoji !== null) byWriter.set(writer, body.emoji);
  }
  return [...byWriter.values()];
}
