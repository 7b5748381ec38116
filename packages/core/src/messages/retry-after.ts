const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;
const forms: readonly RegExp[] = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(
    String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT$`,
  ),
  // Sun Nov  6 08:49:37 1994
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})$`),
];

/**
 * The wait of a `Retry-After` header in ms from `nowMs`: seconds or an HTTP date (RFC 9110, 10.2.3). Some servers send a decimal,
 * which is rounded up. Never negative. Null if the header is none of these.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.replace(/^[ \t]+|[ \t]+$/g, '') ?? '';
  const seconds = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (seconds !== null) {
    const whole = Number(seconds[1]) + (/[1-9]/.test(seconds[2] ?? '') ? 1 : 0);
    return Math.min(whole * 1_000, Number.MAX_SAFE_INTEGER);
  }
  const at = httpDateMs(text, nowMs);
  return at === null ? null : Math.max(0, at - nowMs);
}

/**
 * Reads an HTTP date in one of its three forms (RFC 9110, 5.6.7), in ms since 1970. A year of two digits is the one nearest to
 * `nowMs`. Null for anything else, such as the 31st of February or the many texts that `Date.parse` guesses at.
 */
export function httpDateMs(text: string, nowMs: number): number | null {
  for (const form of forms) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const { day = '', month: name = '', year = '', hour = '', minute = '', second = '' } = found;
    const at = new Date(0);
    at.setUTCFullYear(yearOf(year, nowMs), months.indexOf(name as (typeof months)[number]), Number(day));
    if (at.getUTCDate() !== Number(day)) return null;
    return at.setUTCHours(Number(hour), Number(minute), Number(second));
  }
  return null;
}

function yearOf(written: string, nowMs: number): number {
  const year = Number(written);
  if (written.length === 4) return year;
  const now = new Date(nowMs).getUTCFullYear();
  const inThisCentury = now - (now % 100) + year;
  if (inThisCentury > now + 50) return inThisCentury - 100;
  return inThisCentury <= now - 50 ? inThisCentury + 100 : inThisCentury;
}
