import type { Channel } from '../messages/message.ts';
import { zonesOfRecipient } from './phone-zones.ts';

/** The hours in which an account sends nothing, each day by the clock of a place. They may span midnight. */
export interface QuietHours {
  /** `HH:MM`, the first quiet minute. */
  readonly from: string;
  /** `HH:MM`, the first minute that is no longer quiet. Differs from `from`. */
  readonly to: string;
  /** A name of the time zone database, or that of the recipient. */
  readonly timeZone: string | RecipientZone;
}

/** The zone follows from the recipient's number, or is `fallback` where the number does not tell. */
export interface RecipientZone {
  readonly recipient: true;
  readonly fallback: string;
}

const minuteMs = 60_000;
const dayMinutes = 1_440;

/**
 * When the quiet hours end for a recipient, in ms since 1970, or null if it is not quiet at `at`. Where the recipient may be in
 * several zones, it is quiet while it is quiet in any of them. If that never ends, because the zones are too far apart, `fallback`
 * alone counts.
 */
export function quietUntil(
  { from, to, timeZone }: QuietHours,
  recipient: { readonly channel: Channel; readonly to: string },
  at: number,
): number | null {
  const hours = { from: minuteOf(from), to: minuteOf(to) };
  if (typeof timeZone === 'string') return endOfQuiet(hours, [timeZone], at);
  const zones = zonesOfRecipient(recipient.channel, recipient.to) ?? [timeZone.fallback];
  const end = endOfQuiet(hours, zones, at);
  return end === Infinity ? endOfQuiet(hours, [timeZone.fallback], at) : end;
}

/** Quiet hours as minutes of the day, 0 to 1439. They differ. */
export interface QuietMinutes {
  readonly from: number;
  readonly to: number;
}

/** After this long, an end is no longer looked for: zones repeat themselves every day. */
const longestMs = 3 * dayMinutes * minuteMs;

/**
 * The first moment after `at` at which it is quiet in none of the zones, or null if that is so at `at`. `Infinity` if there is none
 * within three days. The clocks on the wall decide. So hours that a change of the clocks leaves out are not quiet, and those
 * that it repeats are quiet twice.
 */
export function endOfQuiet(hours: QuietMinutes, zones: readonly string[], at: number): number | null {
  // Not by a remainder: `at` may have a fraction, and the start of its minute must not.
  const start = Math.floor(at / minuteMs) * minuteMs;
  let moment = start;
  for (let quiet = zones.find((zone) => isQuiet(hours, zone, moment)); quiet !== undefined;) {
    moment = endInZone(hours, quiet, moment);
    if (moment - start > longestMs) return Infinity;
    quiet = zones.find((zone) => isQuiet(hours, zone, moment));
  }
  return moment === start ? null : moment;
}

/** Whether it is quiet in the zone at a moment, in ms since 1970. */
export function isQuiet({ from, to }: QuietMinutes, zone: string, at: number): boolean {
  const minute = wallMinute(zone, at);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The first moment after a quiet one, a whole minute, at which it is not quiet in the zone. */
function endInZone(hours: QuietMinutes, zone: string, at: number): number {
  for (let moment = at; ;) {
    const untilEnd = (hours.to - wallMinute(zone, moment) + dayMinutes) % dayMinutes;
    const end = moment + untilEnd * minuteMs;
    const change = changeOfClock(zone, moment, end);
    if (change === null) return end;
    if (!isQuiet(hours, zone, change)) return change;
    moment = change;
  }
}

/** The first minute after `from`, up to `until`, at which the clock of the zone is off that of `from`. Null if there is none. */
function changeOfClock(zone: string, from: number, until: number): number | null {
  const offset = offsetOf(zone, from);
  if (offsetOf(zone, until) === offset) return null;
  let [before, after] = [from, until];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (offsetOf(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** By how many minutes the zone is ahead of UTC, modulo a day. */
function offsetOf(zone: string, at: number): number {
  const utcMinute = Math.floor(at / minuteMs) % dayMinutes;
  return (wallMinute(zone, at) - utcMinute + dayMinutes) % dayMinutes;
}

/** By the lower-case name of a zone. Making one takes a hundred times as long as using it, and there are few zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The minute of the day that clocks in the zone show. */
function wallMinute(timeZone: string, at: number): number {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(timeZone, clock);
  }
  return minuteOf(clock.format(at));
}

/** The minute of the day of `HH:MM`. */
function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Whether a text names a zone of the time zone database. An offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
