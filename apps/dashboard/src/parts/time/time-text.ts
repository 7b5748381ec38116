import { language } from './language.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Day and time in a zone. Includes the year only if it differs from that of `now`. */
export function absolute(
  date: Date,
  now: number,
  zone: string,
  locale = language,
  /** Without, it is to the minute. */
  withSeconds = true,
): string {
  const isThisYear = calendarDay(date, zone).year === calendarDay(new Date(now), zone).year;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
    timeZone: zone,
  }).format(date);
}

/** A day: `Jan 31`. Includes the year only if it differs from that of `now`. */
export function dateText(date: Date, now: number, zone: string, locale = language): string {
  const isThisYear = calendarDay(date, zone).year === calendarDay(new Date(now), zone).year;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: zone,
  }).format(date);
}

/** `2026-01-31 09:30:00 UTC`. */
export function utc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A relative time in the largest unit that fits: `3 minutes ago`, `in 2 hours`. Days are those of the zone's calendar. */
export function relative(date: Date, now: number, zone: string, locale = language): string {
  const difference = date.getTime() - now;
  const size = Math.abs(difference);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (size < minuteMs) return difference > 15_000 ? 'in less than a minute' : 'just now';
  if (size < hourMs) return format.format(Math.round(difference / minuteMs), 'minute');
  if (size < dayMs) return format.format(Math.round(difference / hourMs), 'hour');
  return format.format(calendarDay(date, zone).number - calendarDay(new Date(now), zone).number, 'day');
}

/** When something that waits is due: `due` once its time has come. */
export function dueIn(date: Date, now: number, zone: string, locale = language): string {
  const leftMs = date.getTime() - now;
  if (leftMs <= 0) return 'due';
  if (leftMs < 15_000) return 'in a moment';
  return leftMs < minuteMs ? 'within a minute' : relative(date, now, zone, locale);
}

/** A day as a heading: `Today`, `Yesterday`, `Saturday 31 January`. Includes the year only if it differs from that of `now`. */
export function dayText(date: Date, now: number, zone: string, locale = language): string {
  const [day, today] = [calendarDay(date, zone), calendarDay(new Date(now), zone)];
  const ago = today.number - day.number;
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.year === today.year ? {} : { year: 'numeric' }),
    timeZone: zone,
  }).format(date);
}

/** The number of a day in a zone's calendar. It grows by one per day. */
export function dayNumber(date: Date, zone: string): number {
  return calendarDay(date, zone).number;
}

/** The time of day: `09:30`. */
export function timeOfDay(date: Date, zone: string, locale = language): string {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(date);
}

/** How long something still lasts, without seconds: `23 h 12 min`, `5 min`, `less than a minute`. */
export function remaining(ms: number): string {
  if (ms < minuteMs) return 'less than a minute';
  const hours = Math.floor(ms / hourMs);
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return [...(hours === 0 ? [] : [`${hours} h`]), ...(minutes === 0 ? [] : [`${minutes} min`])].join(' ');
}

/** A size in bytes: `640 B`, `12 KB`, `3.4 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${decimal(bytes / 1_000_000)} MB`;
}

/** The day of a zone's calendar: its year, and a number that grows by one per day. */
function calendarDay(date: Date, zone: string): { readonly year: number; readonly number: number } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(date);
  const of = (wanted: string): number => Number(parts.find(({ type }) => type === wanted)?.value);
  return { year: of('year'), number: Date.UTC(of('year'), of('month') - 1, of('day')) / dayMs };
}

/** A duration: `84 ms`, `1.2 s`, `3 min`, `2 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${decimal(ms / 1_000)} s`;
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`;
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} days`;
}

function decimal(value: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

/** A count or an amount: `1,234`. */
export function amount(count: number): string {
  return count.toLocaleString(language);
}
