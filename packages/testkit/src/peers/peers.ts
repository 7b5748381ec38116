import { peer as httpSms } from './http-sms/peer.ts';
import type { ProviderPeer } from './provider-peer.ts';
import { peer as telegramBot } from './telegram-bot/peer.ts';
import { peer as twilio } from './twilio/peer.ts';
import { peer as vonage } from './vonage/peer.ts';
import { peer as whatsappCloud } from './whatsapp-cloud/peer.ts';

/** The peer of every provider that is called by HTTP, by the provider's id. */
export const peers = {
  'telegram-bot': telegramBot,
  twilio,
  vonage,
  'whatsapp-cloud': whatsappCloud,
  'http-sms': httpSms,
} as const satisfies Readonly<Record<string, ProviderPeer>>;
