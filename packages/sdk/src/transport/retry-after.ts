const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;
/** The three forms of an HTTP date (RFC 9110, 5.6.7). */
const forms: readonly RegExp[] = [
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT$`),
  new RegExp(
    String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT$`,
  ),
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})$`),
];

/**
 * `Retry-After` in ms: seconds or an HTTP date (RFC 9110, 10.2.3). A decimal, which some proxies send, is rounded up to
 * seconds. Undefined if there is none, or if it is malformed.
 */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  const text = header?.replace(/^[ \t]+|[ \t]+$/g, '') ?? '';
  const seconds = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (seconds !== null) {
    const whole = Number(seconds[1]) + (/[1-9]/.test(seconds[2] ?? '') ? 1 : 0);
    return Math.min(whole * 1000, Number.MAX_SAFE_INTEGER);
  }
  const at = dateOf(text, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** In ms since 1970. `Date.parse` would take many other texts for a date, such as `40.5` for a year. */
function dateOf(text: string, now: number): number | undefined {
  for (const form of forms) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const at = new Date(0);
    at.setUTCFullYear(yearOf(found['year']!, now), months.indexOf(found['month']!), Number(found['day']));
    if (at.getUTCDate() !== Number(found['day'])) return undefined;
    return at.setUTCHours(Number(found['hour']), Number(found['minute']), Number(found['second']));
  }
  return undefined;
}

/** A year of two digits is the one nearest to now. */
function yearOf(written: string, now: number): number {
  const year = Number(written);
  if (written.length === 4) return year;
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  if (inThisCentury > thisYear + 50) return inThisCentury - 100;
  return inThisCentury <= thisYear - 50 ? inThisCentury + 100 : inThisCentury;
}
