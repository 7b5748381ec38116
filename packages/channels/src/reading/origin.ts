import type { Channel } from '@notify/core';
import { objectOf } from './untrusted.ts';

/**
 * Within what the provider's ids of inbound messages are unique, where that is not the account: a bot of Telegram. A
 * private chat has the same id with every bot, and each bot numbers its messages from the start
 * (https://core.telegram.org/bots/api#message), but an account may be given the token of another bot. Null elsewhere.
 */
export function originOf(channel: Channel, settings: unknown): string | null {
  const { botToken } = objectOf(settings);
  if (channel !== 'telegram' || typeof botToken !== 'string') return null;
  return `bot:${botToken.slice(0, botToken.indexOf(':'))}`;
}
