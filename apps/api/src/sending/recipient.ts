import { type Channel, contactAddress, contactKey } from '@notify/core';
import type { Heard } from '@notify/db/consents';
import { hasWritten, type LookUps } from './look-up.ts';
import { isPhoneNumber } from './phone-number.ts';

/** The fault of a recipient on a channel, or null. `to` is judged unchanged: nothing is trimmed or normalised. */
export function judgeRecipient(channel: Channel, to: string): string | null {
  switch (channel) {
    case 'sms':
      return isNumber(to)
        ? null
        : 'must be a phone number in E.164 format: +, country code, number, digits only';
    case 'whatsapp':
      return isNumber(to.startsWith('+') ? to : `+${to}`) || isLid(to) || isBusinessScopedId(to)
        ? null
        : 'must be a phone number with country code, digits only after an optional +';
    case 'telegram':
      return isChatId(to) || isUsername(to) ? null : 'must be an integer chat ID or an @username';
  }
}

/**
 * The fault of a recipient, unless somebody wrote from that number to one of these accounts: carriers deliver from numbers of earlier
 * plans, and from some that are in no plan that we know. All that looks like a number with country code can be answered.
 */
export async function judgeKnown(
  { address, ...asked }: Heard,
  { lookUps }: { lookUps: LookUps },
): Promise<string | null> {
  const fault = judgeRecipient(asked.channel, address);
  if (fault === null || asked.channel === 'telegram' || !mayBeNumber.test(address)) return fault;
  return (await hasWritten(lookUps, { ...asked, address })) ? null : fault;
}

/** E.164 with its plus, which is how numbers that write are shown. */
const mayBeNumber = /^\+[1-9]\d{6,14}$/;

/** Whether it is a number in any spelling that is in use: `+521…` of Mexico is none in today's plan, but people write from it. */
function isNumber(to: string): boolean {
  return (
    isPhoneNumber(to) || (/^\+\d+$/.test(to) && isPhoneNumber(contactAddress('sms', contactKey('sms', to))))
  );
}

const maxChatId = 2n ** 63n - 1n;

/** Chat ids are signed 64-bit integers. Groups have negative ids. */
function isChatId(text: string): boolean {
  if (!/^-?[1-9][0-9]{0,18}$/.test(text)) return false;
  const id = BigInt(text);
  return id <= maxChatId && id >= -maxChatId;
}

/** WhatsApp's own id of a person whose number it does not tell. Only such people's messages name it. */
function isLid(text: string): boolean {
  return /^[1-9][0-9]{4,19}@lid$/.test(text);
}

/**
 * Meta's id of a person who hides the number: a country and an id that only one business can use
 * (developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids).
 */
function isBusinessScopedId(text: string): boolean {
  return /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/.test(text);
}

/**
 * What can be a username: 4 characters at least, because such names are sold (https://core.telegram.org/api/fragment), and 32 at
 * most, the first a letter. Whether somebody has it, Telegram says.
 */
function isUsername(text: string): boolean {
  return /^@[A-Za-z][A-Za-z0-9_]{3,31}$/.test(text);
}
