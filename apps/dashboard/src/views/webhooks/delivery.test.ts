import { type Attempt, type Delivery, deliveryInShort, endInWords } from './delivery.ts';

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
  state: 'waiting',
  reason: null,
  nextAttemptAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  endedAt: null,
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
  expect(endInWords({ state: 'delivered', reason: null })).toBeNull();
  expect(endInWords({ state: 'waiting', reason: null })).toBeNull();
  expect(endInWords({ state: 'skipped', reason: null })).toContain('disabled');
  expect(endInWords({ state: 'failed', reason: 'expired' })).toContain('3 days');
  expect(endInWords({ state: 'failed', reason: 'attempts-exhausted' })).toContain('ten attempts');
});
