import { announcementOf, clockAheadMs, linkView, secondsLeft } from './link-view.ts';

const endsAt = '2026-01-31T09:30:00.000Z';
const noon = Date.parse(endsAt);

test.each([
  [{ step: 'idle', wanted: null }, { kind: 'unlinked' }],
  [{ step: 'idle', wanted: 'link' }, { kind: 'preparing' }],
  [
    { step: 'display-qr', wanted: 'link', qr: '2@x', expiresAt: endsAt },
    { kind: 'qr', text: '2@x', endsAt },
  ],
  [
    { step: 'display-code', wanted: 'link', code: 'AB', expiresAt: endsAt },
    { kind: 'code', text: 'AB', endsAt },
  ],
  [
    { step: 'connected', wanted: null, phone: '+1555' },
    { kind: 'connected', phone: '+1555' },
  ],
  [{ step: 'connected', wanted: 'unlink', phone: '+1555' }, { kind: 'unlinking' }],
  [
    { step: 'failed', wanted: null, reason: 'Nobody scanned.' },
    { kind: 'failed', reason: 'Nobody scanned.' },
  ],
] as const)('%j is shown as %j', (link, view) => {
  expect(linkView(link)).toEqual(view);
});

test('the countdown uses the server’s clock, and ends at 0', () => {
  expect(secondsLeft(endsAt, noon - 19_500, 0)).toBe(20);
  expect(secondsLeft(endsAt, noon - 140_000, 120_000)).toBe(20);
  expect(secondsLeft(endsAt, noon + 1, 0)).toBe(0);
});

test('ignores a difference of clocks that comes from rounding', () => {
  const date = new Date(noon).toUTCString();
  expect(clockAheadMs(date, noon + 900)).toBe(0);
  expect(clockAheadMs(date, noon - 60_000)).toBe(60_000);
  expect(clockAheadMs(null, noon)).toBe(0);
  expect(clockAheadMs('rubbish', noon)).toBe(0);
});

test('announces a code letter by letter', () => {
  expect(announcementOf({ kind: 'code', text: 'AB1', endsAt })).toBe(
    'The code to enter on the phone is A B 1.',
  );
});
