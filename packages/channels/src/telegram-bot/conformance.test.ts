import { callbackRequest, conformance, type Subject } from '../../test/conformance/conformance.ts';
import type { TelegramSettings } from './settings.ts';
import { telegramBot } from './telegram-bot.ts';
import { secretTokenOf } from './webhook.ts';

const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_-';
const taken = { status: 200, body: '{"ok":true,"result":{"message_id":17,"date":1,"chat":{"id":7}}}' };

const inTopic = {
  message_id: 5,
  chat: { id: -1_007, type: 'supergroup', is_forum: true },
  text: 'Hi',
  message_thread_id: 42,
  is_topic_message: true,
};

const subject: Subject = {
  adapter: telegramBot,
  settings: (): TelegramSettings => ({ botToken, ratePerSecond: 30, onUnknownOutcome: 'at-least-once' }),
  secrets: [botToken, botToken.slice(10)],
  http: { taken, externalId: '7:17' },
  uploaded: null,
  press: (data, externalId) => {
    const [chat, message] = externalId.split(':').map(Number);
    const query = {
      id: '1',
      from: { id: chat },
      message: { message_id: message, chat: { id: chat, type: 'private' } },
      data,
    };
    return callbackRequest({
      headers: { 'x-telegram-bot-api-secret-token': secretTokenOf({ botToken }) },
      body: Buffer.from(JSON.stringify({ update_id: 2, callback_query: query })),
    });
  },
  told: { status: 200, body: '{"ok":true,"result":true}' },
  topic: {
    callback: callbackRequest({
      headers: { 'x-telegram-bot-api-secret-token': secretTokenOf({ botToken }) },
      body: Buffer.from(JSON.stringify({ update_id: 1, message: inTopic })),
    }),
    sentAs: '"message_thread_id":42',
  },
};

test.each(conformance(subject))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
