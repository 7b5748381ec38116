import { openWindowText, windowOf } from './reply-window.ts';

const now = Date.parse('2026-01-31T09:30:00.000Z');
const dayMs = 86_400_000;

test('without a window of the provider, free text may be sent at any time', () => {
  expect(windowOf({ windowExpiresAt: null }, null, now)).toEqual({ kind: 'none' });
});

test('a window is open until it expires', () => {
  const windowExpiresAt = '2026-01-31T12:00:00.000Z';
  expect(windowOf({ windowExpiresAt }, dayMs, now)).toEqual({ kind: 'open', leftMs: 9_000_000 });
  expect(windowOf({ windowExpiresAt }, dayMs, now + 9_000_000)).toEqual({ kind: 'closed', hours: 24 });
});

test('a contact who never wrote has no open window', () => {
  expect(windowOf({ windowExpiresAt: null }, dayMs, now)).toEqual({ kind: 'closed', hours: 24 });
});

test('what is left is told without seconds', () => {
  expect(openWindowText(9_000_000)).toBe('Free text for 2 h 30 min');
  expect(openWindowText(59_000)).toBe('Free text for less than a minute');
});
