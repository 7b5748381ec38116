import { formats } from './formats.ts';

const isTime = formats['date-time'];

const example = 'example: 2026-01-31T09:30:00Z, or 2026-01-31T10:30:00+01:00';

/** The likely mistake in a text that is no time with a zone (RFC 3339). `part`: where it stands in the request. */
export function timeFault(text: string, part: 'path' | 'query' | 'body'): string {
  // A query writes a space as +, so the + of a zone arrives as a space.
  if (part === 'query' && isTime(text.replace(/ (?=\d\d:\d\d$)/, '+')))
    return 'must have the + of its time zone written as %2B in a URL';
  return `${mistakeIn(text)} (${example})`;
}

function mistakeIn(text: string): string {
  const isSpaced = /^\S+ /.test(text);
  const joined = text.replace(' ', 'T');
  if (isTime(`${text}Z`)) return 'has no time zone: end it with Z for UTC, or with an offset such as +01:00';
  if (isTime(`${text}T00:00:00Z`)) return 'is a date only: add the time and its zone';
  if (/^\d+$/.test(text)) return 'must be a date and a time, not a number';
  if (isSpaced && (isTime(joined) || isTime(`${joined}Z`)))
    return 'must have a T between date and time, and end with a time zone';
  const withSeconds = text.replace(/T(\d\d:\d\d)(?=$|Z|[+-])/i, 'T$1:00');
  if (isTime(withSeconds) || isTime(`${withSeconds}Z`)) return 'must have seconds, and end with a time zone';
  if (/^\d{4}-\d\d-\d\dT/i.test(text)) return 'is not a date and time that exists, with its time zone';
  return 'must be a date and a time with its time zone';
}
