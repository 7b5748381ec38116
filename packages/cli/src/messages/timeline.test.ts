import { expect, it } from '@jest/globals';
import { type Timeline, timelineRows } from './timeline.ts';

const at = '2026-01-31T08:00:00.000Z';
const eventId = 'evt_01912d68-783e-7a03-8467-5661c1243ad4';
type Entry = Timeline[number];

const event: Entry = { kind: 'event', at, event: 'message.sent', sequence: 2, eventId };

function delivery(state: 'waiting' | 'delivered' | 'failed', url: string, of = eventId): Entry {
  return {
    kind: 'delivery',
    at,
    deliveryId: 'dlv_01912d68-783e-7a03-8467-5661c1243ad4',
    webhookId: `wh_${url}`,
    url,
    eventId: of,
    event: 'message.sent',
    state,
    reason: null,
    attempts: 1,
    lastAttempt: { at, status: state === 'delivered' ? 200 : 500, error: null, durationMs: 3 },
    nextAttemptAt: null,
    endedAt: null,
    standing: null,
  };
}

const five = [
  event,
  delivery('delivered', 'https://a.example'),
  delivery('delivered', 'https://b.example'),
  delivery('delivered', 'https://c.example'),
  delivery('waiting', 'https://d.example'),
  delivery('failed', 'https://e.example'),
];

it('has one row for an event, which says how many webhooks have it', () => {
  expect(timelineRows(five, false)).toEqual([
    { at, what: 'message.sent', result: '3 of 5 webhooks have it (1 waiting, 1 failed)' },
  ]);
});

it('says of a single webhook what it answered', () => {
  const rows = timelineRows([event, delivery('delivered', 'https://a.example')], false);
  expect(rows.map(({ result }) => result)).toEqual(['webhook: delivered 200 https://a.example']);
});

it('counts webhooks, not deliveries: a retry is another one', () => {
  const [first, again] = [
    delivery('failed', 'https://a.example'),
    delivery('delivered', 'https://a.example'),
  ];
  const results = [
    [event, first, again],
    [event, first, again, delivery('delivered', 'https://b.example')],
    [event, again, first, delivery('waiting', 'https://b.example')],
  ].flatMap((timeline) => timelineRows(timeline, false).map(({ result }) => result));
  expect(results).toEqual([
    'webhook: delivered 200 https://a.example',
    '2 of 2 webhooks have it',
    '1 of 2 webhooks has it (1 waiting)',
  ]);
});

it('keeps what became of an event that is deleted already', () => {
  expect(timelineRows(five.slice(1), false)).toEqual([
    { at, what: 'webhook message.sent', result: '3 of 5 webhooks have it (1 waiting, 1 failed)' },
  ]);
});

it('has a row for each delivery on request', () => {
  const rows = timelineRows(five, true);
  expect(rows).toHaveLength(6);
  expect(rows[0]).toEqual({ at, what: 'message.sent', result: null });
  expect(rows[5]).toEqual({ at, what: 'webhook message.sent', result: 'failed 500 https://e.example' });
});
