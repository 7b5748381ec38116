import type { Channel } from '@notify/core';
import { judgeRecipient } from './recipient.ts';

const good: [Channel, string][] = [
  ['sms', '+15550001000'],
  ['sms', '+4915123456789'],
  ['sms', '+390612345678'],
  ['whatsapp', '4915123456789'],
  ['telegram', '123456789'],
  ['telegram', '-1001234567890'],
  ['telegram', '9223372036854775807'],
  ['telegram', '@durov'],
  ['telegram', `@${'a'.repeat(32)}`],
];
test.each(good)('%s takes %s', (channel, to) => {
  expect(judgeRecipient(channel, to)).toBeNull();
});

const bad: [Channel, string][] = [
  ['sms', ''],
  ['sms', '15550001000'],
  ['sms', '+1 555 000 1000'],
  ['sms', '+1555000'],
  ['sms', '+15550001000000'],
  ['sms', '+0123456789'],
  ['sms', '+99915123456'],
  ['sms', '+15550001000;ext=5'],
  ['sms', ' +15550001000'],
  ['sms', '+15550001000\n'],
  ['sms', '+１５５５０００１０００'],
  ['sms', 'tel:+15550001000'],
  ['whatsapp', '++15550001000'],
  ['whatsapp', '015123456789'],
  ['whatsapp', '@durov'],
  ['telegram', '+15550001000'],
  ['telegram', '0'],
  ['telegram', '-0'],
  ['telegram', '1.5'],
  ['telegram', '9223372036854775808'],
  ['telegram', '@abcd'],
  ['telegram', '@1durov'],
  ['telegram', '@du-rov'],
  ['telegram', `@${'a'.repeat(33)}`],
  ['telegram', 'durov'],
];
test.each(bad)('%s refuses %j', (channel, to) => {
  expect(judgeRecipient(channel, to)).toEqual(expect.any(String));
});
