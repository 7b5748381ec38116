import { conformance, type Subject } from '../../test/conformance/conformance.ts';
import type { TelegramSettings } from './settings.ts';
import { telegramBot } from './telegram-bot.ts';

const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_-';
const taken = { status: 200, body: '{"ok":true,"result":{"message_id":17,"date":1,"chat":{"id":7}}}' };

const subject: Subject = {
  adapter: telegramBot,
  settings: (): TelegramSettings => ({ botToken, ratePerSecond: 30, onUnknownOutcome: 'at-least-once' }),
  secrets: [botToken, botToken.slice(10)],
  http: { taken, externalId: '7:17' },
  told: { status: 200, body: '{"ok":true,"result":true}' },
};

test.each(conformance(subject))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
