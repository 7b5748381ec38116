import { unsignedAdvice } from './unsigned-callbacks.ts';

const advice = (settings: Record<string, unknown>, provider = 'http-sms') =>
  unsignedAdvice({ provider, settings });
const signature = { type: 'hmac', header: 'X', secret: '********' };

test.each([
  ['twilio', {}],
  ['http-sms', { callbackSignature: signature }],
  ['http-sms', { profile: 'kannel', callbackSignature: signature }],
  ['http-sms', { profile: 'telnyx', publicKey: 'key' }],
  ['http-sms', { profile: 'smsgate', signingKey: '********' }],
  ['http-sms', { profile: 'plivo', apiKey: '********' }],
])('%s %j has signed callbacks', (provider, settings) => {
  expect(advice(settings, provider)).toBeNull();
});

test.each([
  [{}, 'If your gateway signs its callbacks'],
  [{ profile: 'kannel' }, 'If Kannel signs its callbacks'],
  [{ profile: 'africastalking', apiKey: '********' }, 'If Africa’s Talking signs its callbacks'],
  [{ profile: 'telnyx', apiKey: '********' }, 'enter its public key'],
  [{ profile: 'smsgate' }, 'enter its signing key'],
  [{ profile: 'sinch' }, 'enter its signing key'],
])('%j has not: %s', (settings, words) => {
  expect(advice(settings)).toContain(words);
});
