import type { Style } from './style.ts';

/** A time of the API in the local time zone, with its distance from UTC: `2026-01-31 10:30:00+01:00`, or `…Z` in UTC. */
export function localTime(instant: string | null | undefined): string | null {
  if (instant === null || instant === undefined) return null;
  const at = new Date(instant);
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${zoneOf(at)}`;
}

/**
 * Short form for tables on a terminal: the time today, `01-31 10:30` earlier this year, and the date alone in another year.
 * `shortZone` of the title says how far they are from UTC; a time at another distance, in summer or winter, has its own.
 */
export function shortTime(instant: string | null | undefined, now: Date = new Date()): string | null {
  const full = localTime(instant);
  const today = localTime(now.toISOString()) ?? '';
  if (full === null) return null;
  const zone = full.slice(19) === today.slice(19) ? '' : full.slice(19);
  if (full.slice(0, 10) === today.slice(0, 10)) return full.slice(11, 19) + zone;
  return full.slice(0, 4) === today.slice(0, 4) ? full.slice(5, 16) + zone : full.slice(0, 10);
}

/**
 * The period of figures: `2026-01-31 10:00:00Z to 2026-01-31 11:03:20Z (now)`. They are of whole hours or days, so the API
 * answers with an end that is still to come, and nothing is counted beyond now.
 */
export function periodText(
  { from, until }: { readonly from: string; readonly until: string },
  now: Date = new Date(),
): string {
  if (Date.parse(until) <= now.getTime()) return `${localTime(from)} to ${localTime(until)}`;
  return `${localTime(from)} to ${localTime(now.toISOString())} (now)`;
}

/** How far the local time zone is from UTC now, for the title of a column: `UTC`, `+01`, `+05:30`. */
export function shortZone(now: Date = new Date()): string {
  const zone = zoneOf(now);
  return zone === 'Z' ? 'UTC' : zone.replace(':00', '');
}

/** `Z`, `+01:00` (ISO 8601). */
function zoneOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return 'Z';
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(distance / 60))}:${two(distance % 60)}`;
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

/** A status in its colour: what went well green, what waits yellow, what failed red. */
export function paintStatus(style: Style): (text: string) => string {
  return (text) => ((colourOf[text] ?? 'plain') === 'plain' ? text : style[colourOf[text] as Colour](text));
}

type Colour = 'green' | 'yellow' | 'red' | 'cyan';
const colourOf: Readonly<Record<string, Colour>> = {
  delivered: 'green',
  read: 'green',
  connected: 'green',
  healthy: 'green',
  approved: 'green',
  sent: 'cyan',
  received: 'cyan',
  queued: 'yellow',
  waiting: 'yellow',
  connecting: 'yellow',
  pending: 'yellow',
  failing: 'yellow',
  paused: 'yellow',
  failed: 'red',
  disabled: 'red',
  disconnected: 'red',
  'action-required': 'red',
  rejected: 'red',
};
