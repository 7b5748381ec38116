import { type DeliveryEntry, deliveriesLine, rowsOf } from './timeline-rows.ts';

const at = '2026-01-31T09:30:00.000Z';
const event = { kind: 'event', at, event: 'message.sent', sequence: 2, eventId: 'evt_1' } as const;
const delivery = (webhookId: string, changes: Partial<DeliveryEntry> = {}): DeliveryEntry => ({
  kind: 'delivery',
  at,
  deliveryId: `dlv_${webhookId}`,
  webhookId,
  url: null,
  eventId: 'evt_1',
  event: 'message.sent',
  state: 'delivered',
  reason: null,
  attempts: 1,
  lastAttempt: null,
  nextAttemptAt: null,
  endedAt: null,
  standing: null,
  ...changes,
});
const waiting = { state: 'waiting', attempts: 0 } as const;

test('the deliveries of an event to several webhooks are one row, at the place of the first', () => {
  const [one, two] = [delivery('wh_1'), delivery('wh_2')];
  const single = delivery('wh_1', { eventId: 'evt_2', event: 'message.delivered' });
  expect(rowsOf([event, one, two, single])).toEqual([
    { kind: 'entry', entry: event },
    { kind: 'deliveries', deliveries: [one, two] },
    { kind: 'entry', entry: single },
  ]);
});

test('what was delivered to one webhook again stays two rows', () => {
  const rows = rowsOf([delivery('wh_1', { state: 'failed' }), delivery('wh_1', { deliveryId: 'dlv_2' })]);
  expect(rows.map(({ kind }) => kind)).toEqual(['entry', 'entry']);
});

test.each([
  [[delivery('wh_2')], 'good', 'message.sent: all 2 webhooks have it'],
  [[delivery('wh_2', waiting)], 'waiting', 'message.sent: 1 of 2 webhooks has it'],
  [[delivery('wh_2', { ...waiting, attempts: 2 })], 'attention', 'message.sent: 1 of 2 webhooks has it'],
  [[delivery('wh_2'), delivery('wh_3', { state: 'failed' })], 'bad', 'message.sent: 2 of 3 webhooks have it'],
  [
    [delivery('wh_2'), delivery('wh_3', { state: 'skipped' })],
    'idle',
    'message.sent: 2 of 3 webhooks have it',
  ],
] as const)('%# says how many webhooks have it', (others, tone, what) => {
  expect(deliveriesLine([delivery('wh_1'), ...others])).toEqual({ tone, what });
});

test('a webhook that has it after a redelivery counts once', () => {
  const again = delivery('wh_1', { deliveryId: 'dlv_9' });
  const line = deliveriesLine([delivery('wh_1', { state: 'failed' }), again, delivery('wh_2')]);
  expect(line).toEqual({ tone: 'good', what: 'message.sent: all 2 webhooks have it' });
});
