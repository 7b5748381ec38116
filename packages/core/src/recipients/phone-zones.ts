import type { Channel } from '../messages/message.ts';
import { areaZones, unknownAreaZones } from './area-zones.ts';
import { countryZones } from './country-zones.ts';

const e164 = /^\+?[1-9]\d{6,14}$/;
/** Country codes have 1 to 3 digits, and no one begins with another. Kazakhstan is told from Russia by the second digit. */
const longestCode = 3;

const zonesByCode: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(countryZones).map(([code, zones]) => [code, zones.split(' ')]),
);

/**
 * The time zones in which the holder of a phone number may be: those of its country, or in North America of its area code. A
 * leading `+` is optional. Null where the number does not tell: its country code is unknown or of no country, or the text is
 * no number.
 */
export function zonesOfPhone(number: string): readonly string[] | null {
  if (!e164.test(number)) return null;
  const digits = number.replace('+', '');
  if (digits.startsWith('1')) return areaZones.get(digits.slice(1, 4)) ?? unknownAreaZones;
  for (let length = longestCode; length > 0; length -= 1) {
    const zones = zonesByCode.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return null;
}

/** As `zonesOfPhone`, for a recipient of the channel. Telegram names its recipients by ids and usernames, which tell nothing. */
export function zonesOfRecipient(channel: Channel, recipient: string): readonly string[] | null {
  return channel === 'telegram' ? null : zonesOfPhone(recipient);
}
