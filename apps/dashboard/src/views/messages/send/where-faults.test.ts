import { inputMoment } from '../../../parts/time/moment-text.ts';
import { sendAtFault, whereFaults } from './where-faults.ts';

const now = new Date(2026, 0, 31, 9, 30).getTime();
const dayMs = 86_400_000;
const whole = { nowMs: now, isHalfTyped: false };

test('a recipient and a time that cannot be are both told at once', () => {
  const faults = whereFaults({ to: '0', sendAt: inputMoment(new Date(now - dayMs)) }, 'sms', whole);
  expect(faults).toEqual({
    to: expect.stringContaining('E.164'),
    sendAt: 'This time has passed. Enter a later one.',
  });
});

test.each([
  ['sms', '+1 (415) 555-0100', true],
  ['sms', '0170', false],
  ['whatsapp', '4915735550140', true],
  ['whatsapp', '123456789@lid', true],
  ['whatsapp', 'US.13491208655302741918', true],
  ['whatsapp', '0', false],
  ['telegram', '-1001234567890', true],
  ['telegram', '@bakery', true],
  ['telegram', '0', false],
] as const)('on %s the recipient %s is possible: %s', (channel, to, isPossible) => {
  expect(Object.keys(whereFaults({ to, sendAt: '' }, channel, whole))).toEqual(isPossible ? [] : ['to']);
});

test('a time that is typed in part is not taken for none', () => {
  const half = whereFaults({ to: '@bakery', sendAt: '' }, 'telegram', { nowMs: now, isHalfTyped: true });
  expect(half).toEqual({ sendAt: 'Enter a date and a time.' });
});

test.each([
  [0, null],
  [29 * dayMs, null],
  [31 * dayMs, 'Enter a time at most 30 days ahead.'],
  [-dayMs, 'This time has passed. Enter a later one.'],
] as const)('a time %d ms from now', (ms, fault) => {
  expect(sendAtFault(inputMoment(new Date(now + ms)), now)).toBe(fault);
});
