import type { Channel } from '../messages/message.ts';
import { spellingsOfDigits, usualDigits } from './number-spellings.ts';

/**
 * The key of an address, which is the same for all spellings that name one recipient. Consent, conversations, idempotency,
 * verifications and the pace to one recipient compare it. A phone number has its digits in the usual spelling of
 * its country, and a Telegram username small letters (https://core.telegram.org/api/names: names that differ in case are one).
 * Any other address stays as it is, such as a chat id or WhatsApp's own id of a person. `contact_key` of the database is the
 * same rule in SQL.
 */
export function contactKey(channel: Channel, address: string): string {
  if (channel !== 'telegram') return usualDigits(address.replace(/^\++/, ''));
  return address.startsWith('@') ? address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : address;
}

/**
 * The keys under which rows of a contact may be stored, the right one first: to processes of the version before,
 * each spelling of a phone number had its own. `contact_keys` of the database is the same rule in SQL.
 */
export function contactKeys(channel: Channel, address: string): readonly string[] {
  const key = contactKey(channel, address);
  return channel === 'telegram' ? [key] : spellingsOfDigits(key);
}

/** Digits that can be a phone number with its country code. Fewer are a short code, which has no plus. */
const international = /^[1-9]\d{6,}$/;

/** The address of a key as a send takes it: digits become a phone number with `+`. */
export function contactAddress(channel: Channel, key: string): string {
  return channel !== 'telegram' && international.test(key) ? `+${key}` : key;
}

/** An address as it is shown: with the digits it was written with, and a phone number with `+`. */
export function shownAddress(channel: Channel, address: string): string {
  if (channel === 'telegram') return address;
  return address.startsWith('+') ? address.replace(/^\++/, '+') : contactAddress(channel, address);
}
