import { createContext, useContext } from 'react';
import { language } from './language.ts';

/** The time zone of the browser, an IANA name. */
export const readersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which a page writes all its times. */
export const ZoneContext = createContext(readersZone);

/** The time zone of the page. */
export function useZone(): string {
  return useContext(ZoneContext);
}

/** `Europe/Berlin (GMT+1)`, or only `UTC`. */
export function zoneInWords(zone: string, now: number): string {
  if (zone === 'UTC') return zone;
  const parts = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    timeZoneName: 'shortOffset',
  }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined ? zone : `${zone} (${offset})`;
}
