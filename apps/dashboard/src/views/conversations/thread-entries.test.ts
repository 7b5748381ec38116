import type { MessageDetails } from '@notify/sdk';
import { daysOf } from './thread-entries.ts';

const at = '2026-01-31T09:30:00.000Z';
const plain: MessageDetails = {
  id: 'msg_1',
  messageId: 'msg_1',
  channelAccountId: null,
  direction: 'inbound',
  provider: 'whatsapp',
  to: '+491511',
  from: '+491512',
  contact: null,
  replyTo: null,
  threadId: null,
  groupId: null,
  receivedAt: at,
  type: 'text',
  status: 'delivered',
  body: { text: 'Hello' },
  scheduledAt: null,
  metadata: {},
  tags: [],
  createdAt: at,
  externalId: null,
  error: null,
  errorCode: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  expiresAt: at,
  updatedAt: at,
  attempts: 0,
  segments: null,
  possibleDuplicate: false,
  urgent: false,
};
const message = (id: number, more: Partial<MessageDetails> = {}): MessageDetails => ({
  ...plain,
  id: `msg_${id}`,
  messageId: `msg_${id}`,
  ...more,
});
const reaction = (id: number, to: number, emoji: string | null, from = '+491512'): MessageDetails =>
  message(id, { type: 'reaction', body: { emoji }, replyTo: `msg_${to}`, from });
const entries = (...oldestFirst: MessageDetails[]) =>
  daysOf(oldestFirst.toReversed(), 'UTC').flatMap((day) => day.entries);

test('a thread is cut into the days of the zone, oldest first', () => {
  const late = message(2, { receivedAt: '2026-01-31T23:30:00.000Z' });
  const days = daysOf([late, message(1)], 'Europe/Berlin');
  expect(days.map((day) => day.entries.map((entry) => entry.message.messageId))).toEqual([
    ['msg_1'],
    ['msg_2'],
  ]);
  expect(days[1]!.day - days[0]!.day).toBe(1);
  expect(daysOf([late, message(1)], 'UTC')).toHaveLength(1);
});

test('reactions are part of their message: the latest of each person, and none that was taken back', () => {
  const [first, second, ...rest] = entries(
    message(1),
    message(2),
    reaction(3, 1, '👍'),
    reaction(4, 1, '🎉', '+491519'),
    reaction(5, 1, '❤️'),
    reaction(6, 2, '👍'),
    reaction(7, 2, null),
  );
  expect(first!.reactions).toEqual(['🎉', '❤️']);
  expect(second!.reactions).toEqual([]);
  expect(rest).toEqual([]);
});

test('a reaction to a message that has not been read stands for itself', () => {
  expect(entries(reaction(9, 1, '👍')).map((entry) => entry.message.messageId)).toEqual(['msg_9']);
});

test('a pressed button is told at its message, and is a message of its own', () => {
  const press = message(2, {
    type: 'button',
    body: { text: 'Yes', payload: 'yes-1' },
    replyTo: 'msg_1',
  });
  const [asked, pressed] = entries(message(1, { direction: 'outbound' }), press);
  expect(asked).toMatchObject({ pressed: ['Yes'], quoted: null });
  expect(pressed?.quoted?.messageId).toBe('msg_1');
});

test('an answer quotes the message that it answers, if that has been read', () => {
  const [, answer, other] = entries(
    message(1),
    message(2, { replyTo: 'msg_1' }),
    message(3, { replyTo: 'msg_0' }),
  );
  expect(answer?.quoted?.messageId).toBe('msg_1');
  expect(other?.quoted).toBeNull();
});
