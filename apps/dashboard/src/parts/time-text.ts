const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Day and time in the reader's zone and language. Includes the year only if it differs from that of `now`. */
export function absolute(date: Date, now: number, zone?: string, locale?: string): string {
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(date);
}

/** `2026-01-31 09:30:00 UTC`. */
export function utc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A relative time in the largest unit that fits: `3 minutes ago`, `in 2 hours`. */
export function relative(date: Date, now: number, locale?: string): string {
  const difference = date.getTime() - now;
  const size = Math.abs(difference);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (size < minuteMs) return difference > 15_000 ? 'in less than a minute' : 'just now';
  if (size < hourMs) return format.format(Math.round(difference / minuteMs), 'minute');
  if (size < dayMs) return format.format(Math.round(difference / hourMs), 'hour');
  return format.format(Math.round(difference / dayMs), 'day');
}

/** A duration: `84 ms`, `1.2 s`, `3 min`, `2 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`;
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} days`;
}
