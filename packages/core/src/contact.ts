import type { Channel } from './message.ts';

/**
 * An address as consent, conversations and the pace to one recipient compare it: a phone number by its digits, any other
 * unchanged, such as a Telegram chat id or WhatsApp's own id of a person. `recipientKey` of the database is the same rule
 * in SQL.
 */
export function contactKey(channel: Channel, address: string): string {
  return channel === 'telegram' ? address : address.replace(/^\++/, '');
}

/** The address of a key as a send takes it: digits become a phone number with `+`. */
export function contactAddress(channel: Channel, key: string): string {
  return channel !== 'telegram' && /^\d+$/.test(key) ? `+${key}` : key;
}
