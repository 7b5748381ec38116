import { lineOf, type TimelineEntry } from './timeline-words.ts';

const at = '2026-01-31T09:30:00.000Z';
const attempt = {
  kind: 'attempt',
  at,
  endedAt: at,
  durationMs: 1_240,
  number: 2,
  part: 0,
  outcome: 'rejected',
  providerCode: '21211',
  text: 'Invalid number',
} as const satisfies TimelineEntry;
const delivery = {
  kind: 'delivery',
  at,
  deliveryId: 'dlv_1',
  webhookId: 'wh_1',
  url: null,
  eventId: 'evt_1',
  event: 'message.sent',
  state: 'waiting',
  reason: null,
  attempts: 0,
  lastAttempt: null,
  nextAttemptAt: null,
  endedAt: null,
  standing: null,
} as const satisfies TimelineEntry;
const refused = { at, status: 500, error: null, durationMs: 20 };

test('an attempt shows its outcome, its duration and the provider’s own words', () => {
  expect(lineOf(attempt)).toMatchObject({
    tone: 'bad',
    what: 'Attempt 2: rejected by the provider after 1.2 s',
    answer: '21211 · Invalid number',
  });
});

test('an attempt without an answer is in progress; one with an unknown outcome says so', () => {
  expect(lineOf({ ...attempt, outcome: null }).what).toBe('Attempt 2: in progress');
  const unknown = lineOf({ ...attempt, outcome: 'unknown', part: 1, providerCode: null, text: null });
  expect(unknown).toMatchObject({ tone: 'attention', answer: null });
  expect(unknown.what).toBe('Attempt 2, part 2: outcome unknown after 1.2 s');
});

test.each([
  [{}, 'Webhook scheduled: message.sent', null],
  [{ attempts: 2, lastAttempt: refused }, 'Webhook retrying: message.sent', '2 attempts, last: 500'],
  [
    { standing: { code: 'post-due', text: 'It is due.', until: null } },
    'Webhook scheduled: message.sent',
    null,
  ],
  [
    {
      attempts: 2,
      lastAttempt: refused,
      standing: { code: 'webhook-failing', text: 'It fails.', until: at },
    },
    'Webhook retrying: message.sent',
    '2 attempts, last: 500. It fails.',
  ],
  [
    { state: 'delivered', attempts: 1, lastAttempt: { ...refused, status: 204 } },
    'Webhook delivered: message.sent',
    '204 after 1 attempt',
  ],
  [
    { state: 'failed', reason: 'expired' },
    'Webhook failed: message.sent',
    'Expired after 3 days because the webhook kept failing.',
  ],
  [{ state: 'skipped' }, 'Webhook skipped: message.sent', 'The webhook was disabled.'],
] as const)('a delivery with %j reads “%s”', (state, what, more) => {
  expect(lineOf({ ...delivery, ...state })).toMatchObject({ what, more });
});
