/**
 * A time as providers write it: seconds or milliseconds since 1970, RFC 3339, or `2026-01-31 12:00:00` in UTC. Null for
 * anything else, and for times that no `timestamptz` holds.
 */
export function providerTime(written: string | null): Date | null {
  const text = (written ?? '').trim();
  if (/^\d{1,10}$/.test(text)) return new Date(Number(text) * 1_000);
  if (/^\d{11,14}$/.test(text)) return new Date(Number(text));
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (parts === null) return null;
  const [, day, clock, zone = 'Z'] = parts;
  const time = new Date(
    `${day}T${clock}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`,
  );
  return Number.isNaN(time.getTime()) ? null : time;
}
