import { webhookWaitsMs } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import { decideDelivery } from './decide-delivery.ts';

function answer(status: number, headers: Record<string, string> = {}): HttpResult {
  return { ok: true, status, headers, body: Buffer.alloc(0), truncated: false, durationMs: 1 };
}
const noAnswer: HttpResult = { ok: false, error: 'timeout', text: '', written: true, durationMs: 1 };
const least = () => 0;
const most = () => 0.999_999;

test.each([200, 201, 204, 299])('%i is success', (status) => {
  expect(decideDelivery(answer(status), 1, least, 0)).toEqual({ kind: 'delivered' });
});

test('a truncated 2xx is success', () => {
  const cut = { ...answer(200), truncated: true } as HttpResult;
  expect(decideDelivery(cut, 1, least, 0)).toEqual({ kind: 'delivered' });
});

test.each([301, 302, 304, 400, 401, 404, 410, 429, 500, 503])('%i is tried again', (status) => {
  expect(decideDelivery(answer(status), 1, least, 0)).toEqual({ kind: 'retry', afterMs: 5_000 });
});

test('a test event is tried once: its owner is watching, and an old one tells nothing', () => {
  expect(decideDelivery(noAnswer, 1, least, 0, { retries: false })).toEqual({ kind: 'failed' });
  expect(decideDelivery(answer(204), 1, least, 0, { retries: false })).toEqual({ kind: 'delivered' });
});

test('a pack that is too large for its receiver is cut in two, and a single event is retried', () => {
  expect(decideDelivery(answer(413), 1, least, 0, { events: 2 })).toEqual({ kind: 'cut' });
  expect(decideDelivery(answer(413), 10, least, 0, { events: 2 })).toEqual({ kind: 'cut' });
  expect(decideDelivery(answer(413), 1, least, 0, { events: 1 })).toEqual({ kind: 'retry', afterMs: 5_000 });
  expect(decideDelivery(answer(400), 1, least, 0, { events: 2 })).toEqual({ kind: 'retry', afterMs: 5_000 });
});

test('the waits follow the schedule, are never early, and end after the tenth attempt', () => {
  webhookWaitsMs.forEach((waitMs, index) => {
    expect(decideDelivery(noAnswer, index + 1, least, 0)).toEqual({ kind: 'retry', afterMs: waitMs });
    const longest = decideDelivery(noAnswer, index + 1, most, 0);
    expect(longest).toEqual({ kind: 'retry', afterMs: Math.round(waitMs * (1 + 0.2 * 0.999_999)) });
  });
  expect(decideDelivery(noAnswer, webhookWaitsMs.length + 1, least, 0)).toEqual({ kind: 'failed' });
});

test('Retry-After lengthens a wait up to an hour and never shortens one', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const after = (value: string, attempt = 1) =>
    decideDelivery(answer(503, { 'retry-after': value }), attempt, least, now);
  expect(after('60')).toEqual({ kind: 'retry', afterMs: 60_000 });
  expect(after('Thu, 01 Jan 2026 00:02:00 GMT')).toEqual({ kind: 'retry', afterMs: 120_000 });
  expect(after('999999999999')).toEqual({ kind: 'retry', afterMs: 3_600_000 });
  expect(after('1')).toEqual({ kind: 'retry', afterMs: 5_000 });
  expect(after('60', 4)).toEqual({ kind: 'retry', afterMs: 600_000 });
  expect(after('40.5')).toEqual({ kind: 'retry', afterMs: 41_000 });
  expect(after('60.5')).toEqual({ kind: 'retry', afterMs: 61_000 });
  for (const nonsense of ['soon', '40,5', '"40"', '+40', '2030-01-01', 'Jan 1 2030'])
    expect(after(nonsense)).toEqual({ kind: 'retry', afterMs: 5_000 });
});
