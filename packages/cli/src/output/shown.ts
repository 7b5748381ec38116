import type { Style } from './style.ts';

/** A time of the API in the local time zone: `2026-01-31 10:30:00`. */
export function localTime(instant: string | null | undefined): string | null {
  if (instant === null || instant === undefined) return null;
  const at = new Date(instant);
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Short form for tables: the time today, `01-31 10:30` earlier this year, and the date alone in another year. */
export function shortTime(instant: string | null | undefined, now: Date = new Date()): string | null {
  const full = localTime(instant);
  const today = localTime(now.toISOString()) ?? '';
  if (full === null) return null;
  if (full.slice(0, 10) === today.slice(0, 10)) return full.slice(11);
  return full.slice(0, 4) === today.slice(0, 4) ? full.slice(5, 16) : full.slice(0, 10);
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
