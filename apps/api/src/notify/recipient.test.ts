import type { Channel } from '@notify/core';
import { judgeRecipient } from './recipient.ts';

const good: [Channel, string][] = [
  ['sms', '+390612345678'],
  ['telegram', '9223372036854775807'],
  ['telegram', `@${'a'.repeat(32)}`],
];
test.each(good)('%s takes %s', (channel, to) => {
  expect(judgeRecipient(channel, to)).toBeNull();
});

const bad: [Channel, string][] = [
  ['sms', '+1555000'],
  ['sms', '+15550001000000'],
  ['sms', '+99915123456'],
  ['sms', '+15550001000;ext=5'],
  ['sms', '+１５５５０００１０００'],
  ['sms', 'tel:+15550001000'],
  ['whatsapp', '++15550001000'],
  ['whatsapp', '015123456789'],
  ['telegram', '+15550001000'],
  ['telegram', '0'],
  ['telegram', '-0'],
  ['telegram', '9223372036854775808'],
  ['telegram', '@abcd'],
  ['telegram', '@1durov'],
  ['telegram', '@du-rov'],
  ['telegram', `@${'a'.repeat(33)}`],
];
test.each(bad)('%s refuses %j', (channel, to) => {
  expect(judgeRecipient(channel, to)).toEqual(expect.any(String));
});
