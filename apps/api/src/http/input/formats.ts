/**
 * Local part, `@`, and a domain with a dot; at most 254 characters (RFC 5321, 4.5.3.1.3). Only sending mail can prove
 * more.
 */
function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()",;:\\]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}

/**
 * RFC 3339 with a time zone, and a date that exists: `Date` reads 30 February as 2 March, and 24:00 as the next day.
 */
function isDateTime(text: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
  const written = text.slice(0, 19).toUpperCase();
  const parsed = new Date(`${written}Z`);
  if (!shape.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(parsed.getTime())) return false;
  return parsed.toISOString().startsWith(written);
}

/** The formats that request schemas may use. */
export const formats = { email: isEmail, 'date-time': isDateTime };
