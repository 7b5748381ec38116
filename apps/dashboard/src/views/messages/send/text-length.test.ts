import { lengthOf } from './text-length.ts';

test.each([
  ['Hello', 'sms', '5 of 4,096 characters · 1 SMS'],
  ['x'.repeat(161), 'sms', '161 of 4,096 characters · 2 SMS'],
  ['Привет', 'sms', '6 of 4,096 characters · 1 SMS (Unicode, so fewer characters fit)'],
  ['x'.repeat(161), 'telegram', '161 of 4,096 characters'],
  ['', 'sms', '0 of 4,096 characters'],
] as const)('%s on %s: %s', (text, channel, words) => {
  expect(lengthOf(text, channel)).toBe(words);
});
