import type { Channel } from '@notify/core';
import { judgeRecipient } from './recipient.ts';

const good: [Channel, string][] = [
  ['whatsapp', '184467440737095@lid'],
  ['sms', '+390612345678'],
  ['whatsapp', 'US.13491208655302741918'],
  ['whatsapp', 'US.ENT.11815799212886844830'],
  ['telegram', '9223372036854775807'],
  ['telegram', `@${'a'.repeat(32)}`],
  ['telegram', '@abcd'],
  ...[
    '+5215512345678',
    '+551187650000',
    '+5511987650000',
    '+541123456789',
    '+5491123456789',
    '+22997123456',
  ].flatMap((to): [Channel, string][] => [
    ['sms', to],
    ['whatsapp', to],
    ['whatsapp', to.slice(1)],
  ]),
];
test.each(good)('%s takes %s', (channel, to) => {
  expect(judgeRecipient(channel, to)).toBeNull();
});

const bad: [Channel, string][] = [
  ['whatsapp', '120363000000000001@g.us'],
  ['whatsapp', 'x@lid'],
  ['sms', '184467440737095@lid'],
  ['sms', '+1555000'],
  ['sms', '+15550001000000'],
  ['sms', '+99915123456'],
  ['sms', '+15550001000;ext=5'],
  ['sms', '+１５５５０００１０００'],
  ['sms', 'tel:+15550001000'],
  ['whatsapp', '++15550001000'],
  ['whatsapp', '015123456789'],
  ['whatsapp', 'US.'],
  ['whatsapp', 'us.13491208655302741918'],
  ['whatsapp', 'US.1349 1208'],
  ['sms', 'US.13491208655302741918'],
  ['telegram', '+15550001000'],
  ['telegram', '0'],
  ['telegram', '-0'],
  ['telegram', '9223372036854775808'],
  ['telegram', '@'],
  ['telegram', '@abc'],
  ['telegram', '@1durov'],
  ['sms', '5215512345678'],
  ['sms', '++5215512345678'],
  ['sms', '+52155123456789'],
  ['telegram', '@du-rov'],
  ['telegram', `@${'a'.repeat(33)}`],
];
test.each(bad)('%s refuses %j', (channel, to) => {
  expect(judgeRecipient(channel, to)).toEqual(expect.any(String));
});
