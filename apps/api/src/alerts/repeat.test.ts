import { durationMs, keyOf, type Told } from './repeat.ts';

const hour = 3_600_000;
const begin = Date.parse('2026-01-31T09:30:00Z');

const alert = (fingerprint: string, more: Partial<Told['alerts'][number]> = {}): Told['alerts'][number] => ({
  status: 'firing',
  labels: {},
  startsAt: '2026-01-31T09:30:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint,
  ...more,
});

const told: Told = {
  channel: 'sms',
  groupKey: '{}:{}',
  status: 'firing',
  alerts: [alert('a'), alert('b')],
  to: '+4917012345678',
  repeatMs: 4 * hour,
};
const key = keyOf(told, begin);

test.each<[string, Partial<Told>, number]>([
  ['other words and another order', { alerts: [alert('b', { annotations: { value: '2' } }), alert('a')] }, 0],
  ['a retry and another Alertmanager of the cluster', {}, 60_000],
  ['the last moment of the window', {}, 4 * hour - 1],
  ['a clock that is behind', {}, -hour],
])('the same: %s', (_, more, laterMs) => {
  expect(keyOf({ ...told, ...more }, begin + laterMs)).toBe(key);
});

const later = { startsAt: '2026-01-31T11:00:00Z' };
test.each<[string, Partial<Told>, number]>([
  ['the next window', {}, 4 * hour],
  ['a second firing', { alerts: [alert('a', later), alert('b')] }, 0],
  ['an alert that joins', { alerts: [...told.alerts, alert('c')] }, 0],
  ['an alert that leaves', { alerts: [alert('a')] }, 0],
  [
    'an alert that resolves while others fire',
    { alerts: [alert('a', { status: 'resolved' }), alert('b')] },
    0,
  ],
  ['the end of the group', { status: 'resolved' }, 0],
  ['another recipient', { to: '+4917012345679' }, 0],
  ['another channel', { channel: 'whatsapp' }, 0],
  ['another group', { groupKey: '{}:{x="y"}' }, 0],
  ['another window', { repeatMs: hour }, 0],
])('another one: %s', (_, more, laterMs) => {
  expect(keyOf({ ...told, ...more }, begin + laterMs)).not.toBe(key);
});

test('the windows of a resolved group count from its end, and from its start if the end is not known', () => {
  const ended = (endsAt: string): Told => ({
    ...told,
    status: 'resolved',
    alerts: [alert('a', { endsAt, status: 'resolved' })],
  });
  const at = (one: Told, afterMs: number): string => keyOf(one, begin + afterMs);
  const tenHours = ended('2026-01-31T19:30:00Z');
  expect(at(tenHours, 14 * hour - 1)).toBe(at(tenHours, 10 * hour));
  expect(at(tenHours, 14 * hour)).not.toBe(at(tenHours, 10 * hour));
  for (const unknown of ['0001-01-01T00:00:00Z', 'soon'])
    expect([at(ended(unknown), 4 * hour - 1), at(ended(unknown), 4 * hour)]).toEqual([
      at(ended(unknown), 0),
      expect.not.stringMatching(at(ended(unknown), 0)),
    ]);
});

test.each([
  ['4h', 4 * hour],
  ['90s', 90_000],
  ['1h30m', 1.5 * hour],
  ['1w', 168 * hour],
  ['1d', 24 * hour],
])('%s is %d ms', (text, ms) => expect(durationMs(text)).toBe(ms));
