import { canResend, carriesCode, lastRefusal, stateOf } from './message-state.ts';

const now = Date.parse('2026-01-31T09:30:00Z');
const queued = { direction: 'outbound', status: 'queued', scheduledAt: null } as const;

test.each([
  [{}, 'queued'],
  [{ scheduledAt: '2026-02-01T09:30:00Z' }, 'scheduled'],
  [{ scheduledAt: '2026-01-30T09:30:00Z' }, 'queued'],
  [{ scheduledAt: '2026-02-01T09:30:00Z', status: 'failed' }, 'failed'],
  [{ direction: 'inbound', status: 'delivered' }, 'received'],
] as const)('a message with %j is %s', (changes, state) => {
  expect(stateOf({ ...queued, ...changes }, now)).toBe(state);
});

test('the message of a verification is not offered for a resend', () => {
  const failed = { direction: 'outbound', status: 'failed', groupId: 'grp_1' } as const;
  const code = { ...failed, body: { text: '•••••• is your code.' } };
  const template = { name: 'code', language: 'en', parameters: { body: ['••••••'] } };
  expect([code, { ...failed, body: { template } }].map(carriesCode)).toEqual([true, true]);
  const plain = { ...failed, body: { text: 'Your table is ready.' } };
  expect([code, plain, { ...plain, status: 'sent' } as const].map(canResend)).toEqual([false, true, false]);
});

test('the last refusal is that of the last attempt that ended', () => {
  const attempt = {
    kind: 'attempt',
    at: '2026-01-31T09:30:00Z',
    endedAt: '2026-01-31T09:30:01Z',
    durationMs: 1_000,
    part: 0,
    outcome: 'retry',
    providerCode: null,
    text: 'getaddrinfo ENOTFOUND api.twilio.com',
  } as const;
  const one = { ...attempt, number: 1 };
  expect(lastRefusal({ timeline: [] })).toBeNull();
  expect(lastRefusal({ timeline: [one] })).toBe(
    'The attempt ended with: getaddrinfo ENOTFOUND api.twilio.com',
  );
  expect(lastRefusal({ timeline: [one, { ...attempt, number: 2, providerCode: '21211' }] })).toBe(
    'The last of 2 attempts ended with: 21211 · getaddrinfo ENOTFOUND api.twilio.com',
  );
  expect(lastRefusal({ timeline: [{ ...one, outcome: 'accepted' }] })).toBeNull();
});
