import {
  type Attempt,
  canRetry,
  type Delivery,
  deliveryInShort,
  endInWords,
  eventInShort,
  idToRetry,
} from './delivery.ts';

const attempt = (status: number | null, error: string | null = null): Attempt => ({
  number: 1,
  status,
  error,
  durationMs: 12,
  answer: null,
  at: '2026-01-31T09:30:00.000Z',
});
const delivery = (changes: Partial<Delivery>): Delivery => ({
  id: 'dlv_1',
  eventId: 'evt_1',
  event: 'message.sent',
  messageId: 'msg_1',
  recipient: '+14155550123',
  state: 'waiting',
  reason: null,
  nextAttemptAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  endedAt: null,
  packId: null,
  eventCount: 1,
  attempts: [],
  ...changes,
});

test.each([
  [{}, 'No attempts yet'],
  [{ state: 'skipped' }, 'Webhook disabled'],
  [{ state: 'failed', reason: 'expired' }, 'Expired after 3 days'],
  [{ state: 'delivered', attempts: [attempt(204)] }, '204 on first attempt'],
  [{ attempts: [attempt(500)] }, '1 attempt: 500'],
  [{ attempts: [attempt(500), attempt(null, 'timeout')] }, '2 attempts, last: timed out'],
] as const)('%j is “%s”', (changes, words) => {
  expect(deliveryInShort(delivery(changes as Partial<Delivery>))).toBe(words);
});

test('says why a delivery ended without getting through', () => {
  const end = (state: Delivery['state'], reason: Delivery['reason'] = null) =>
    endInWords(delivery({ state, reason }));
  expect(end('delivered')).toBeNull();
  expect(end('waiting')).toBeNull();
  expect(end('skipped')).toContain('disabled');
  expect(end('failed', 'expired')).toContain('3 days');
  expect(end('failed', 'attempts-exhausted')).toContain('ten attempts');
});

test('a test event is not posted again: neither by itself nor by hand', () => {
  const test = delivery({ event: 'webhook.test', state: 'failed', reason: 'attempts-exhausted' });
  expect(endInWords(test)).toBe('A test event is not retried. Send another one.');
  expect([test, delivery({ event: null }), delivery({})].map(canRetry)).toEqual([false, false, true]);
});

test('a pack is one line, and is posted again as a whole', () => {
  const pack = { packId: 'bat_1', eventCount: 37 };
  expect([eventInShort(delivery(pack)), idToRetry(delivery(pack))]).toEqual(['37 events', 'bat_1']);
  expect([eventInShort(delivery({})), idToRetry(delivery({}))]).toEqual(['message.sent', 'dlv_1']);
  expect(eventInShort(delivery({ event: null }))).toBe('event deleted');
  expect(eventInShort(delivery({ packId: 'bat_1' }))).toBe('message.sent');
});
