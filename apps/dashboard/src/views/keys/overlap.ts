const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

/** How long a key that is rotated may still work. */
export const overlaps = [
  { seconds: 0, label: 'It stops at once' },
  { seconds: hourSeconds, label: '1 hour' },
  { seconds: daySeconds, label: '1 day' },
  { seconds: 7 * daySeconds, label: '7 days' },
] as const;

/** The overlap that is chosen at first: time to deploy the new key. */
export const usualOverlap = overlaps[2].seconds;

/** When the old key stops, ISO 8601: after the overlap, and never later than its own end. `now` is in ms since 1970. */
export function stopsAt(seconds: number, expiresAt: string | null, now: number): string {
  const after = now + seconds * 1_000;
  return new Date(expiresAt === null ? after : Math.min(after, Date.parse(expiresAt))).toISOString();
}
