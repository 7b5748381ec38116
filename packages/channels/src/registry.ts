import type { Provider } from './adapter/channel.ts';
import { httpSms } from './http-sms/http-sms.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { telegramBot } from './telegram-bot/telegram-bot.ts';
import { twilio } from './twilio/twilio.ts';
import { vonage } from './vonage/vonage.ts';
import { whatsappCloud } from './whatsapp-cloud/whatsapp-cloud.ts';
import { whatsappWeb } from './whatsapp-web/whatsapp-web.ts';

/** Every provider, by the id that stored accounts name it with. */
export const adapters: ReadonlyMap<string, Provider> = new Map(
  [httpSms, sandbox, telegramBot, twilio, vonage, whatsappCloud, whatsappWeb].map((adapter: Provider) => [
    adapter.id,
    adapter,
  ]),
);
