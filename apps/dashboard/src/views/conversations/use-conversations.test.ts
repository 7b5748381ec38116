import { isOf, orderOf, unreadIn } from './use-conversations.ts';

const account = '0190d5a4-0000-7000-8000-000000000000';
const event = {
  name: 'message.sent',
  messageId: 'msg_9',
  accountId: account,
  from: null,
  to: '491511',
  reference: null,
};

test('an event belongs to the conversation of its account and contact', () => {
  const one = { channelAccountId: account, to: '+491511', lastMessage: null };
  expect(isOf(event, one)).toBe(true);
  expect(isOf({ ...event, to: '491512' }, one)).toBe(false);
  expect(isOf({ ...event, accountId: null }, one)).toBe(false);
  expect(isOf({ ...event, to: '+4930', from: '+491511' }, one)).toBe(true);
});

test('a conversation is as new as its last message, or as itself without one', () => {
  const last = { messageId: 'msg_0192' } as Parameters<typeof orderOf>[0]['lastMessage'];
  expect(orderOf({ id: 'cnv_0190', lastMessage: last })).toBe('0192');
  expect(orderOf({ id: 'cnv_0190', lastMessage: null })).toBe('0190');
});

test('counts conversations, not messages, and says when there may be more', () => {
  const data = [{ unread: 3 }, { unread: 1 }];
  expect(unreadIn({ data: [...data, { unread: 0 }], nextCursor: 'x' })).toEqual({ count: 2, isMore: false });
  expect(unreadIn({ data, nextCursor: 'x' })).toEqual({ count: 2, isMore: true });
  expect(unreadIn({ data: [], nextCursor: null })).toEqual({ count: 0, isMore: false });
});
