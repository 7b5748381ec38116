import type { CallbackRequest } from '../adapter/channel.ts';
import { telegramBot } from './telegram-bot.ts';
import { botToken, settings } from './test/scripted.ts';
import { secretTokenOf } from './webhook.ts';

const secretToken = secretTokenOf(settings);

function callback(changes: Partial<CallbackRequest> = {}, chosen: object = settings) {
  const request: CallbackRequest = {
    method: 'POST',
    url: '/callbacks/telegram-bot/a/s',
    publicUrl: null,
    query: new URLSearchParams(),
    headers: { 'x-telegram-bot-api-secret-token': secretToken },
    body: Buffer.from(
      JSON.stringify({ update_id: 1, message: { message_id: 5, chat: { id: 7 }, text: 'Hi' } }),
    ),
    secretMatches: true,
    address: '192.0.2.1',
    ...changes,
  };
  return telegramBot.parseCallback!(request, { ...settings, ...chosen });
}

test('an update of Telegram is read', () => {
  expect(callback()).toMatchObject({
    kind: 'receipts',
    receipts: [],
    inbound: [{ externalId: '7:5', from: '7', body: { text: 'Hi' } }],
  });
});

test('a pressed button is acknowledged in the answer', () => {
  const body = Buffer.from('{"update_id":1,"callback_query":{"id":"4382","from":{"id":7},"data":"y"}}');
  const result = callback({ body });
  expect(result).toMatchObject({ answerType: 'application/json', inbound: [{ type: 'button' }] });
  const { answer } = result as { answer: string };
  expect(JSON.parse(answer)).toEqual({ method: 'answerCallbackQuery', callback_query_id: '4382' });
});

test.each<[string, Partial<CallbackRequest>, object]>([
  ['another secret in the path', { secretMatches: false }, {}],
  ['no secret in the header', { headers: {} }, {}],
  ['another secret in the header', { headers: { 'x-telegram-bot-api-secret-token': `${secretToken}x` } }, {}],
  ['GET', { method: 'GET' }, {}],
  ['the token of another bot', {}, { botToken: botToken.replace('AAH', 'AAG') }],
  ['an account that ignores updates', {}, { updates: 'ignore' }],
])('%s: forged', (_, changes, chosen) => {
  expect(callback(changes, chosen)).toEqual({ kind: 'forged' });
});

test.each(['', 'x', '[]', '5', '{"update_id":'])('%j is malformed', (text) => {
  expect(callback({ body: Buffer.from(text) }).kind).toBe('malformed');
});

test('the secret of the header can be sent as one, and does not show the token', () => {
  expect(secretToken).toMatch(/^[A-Za-z0-9_-]{1,256}$/);
  expect(botToken).not.toContain(secretToken);
});
