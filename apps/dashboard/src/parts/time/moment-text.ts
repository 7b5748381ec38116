/** A point in time as somebody types it, in the zone of the browser: `2026-01-31 09:30`. */
export const momentExample = '2026-01-31 09:30';

const form = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;

/** The moment in a text, with the beginning of the day if there is no time; null if it is none. */
export function readMoment(text: string): Date | null {
  const [, year, month, day, hour = '0', minute = '0'] = form.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  const fields = [year, month, day, hour, minute].map(Number) as [number, number, number, number, number];
  const at = new Date(fields[0], fields[1] - 1, ...(fields.slice(2) as [number, number, number]));
  // `Date` takes the 31st of February for the 3rd of March, and the year 26 for 1926.
  const isReal =
    at.getFullYear() === fields[0] &&
    at.getMonth() === fields[1] - 1 &&
    at.getDate() === fields[2] &&
    at.getMinutes() === fields[4];
  return isReal ? at : null;
}

/** Writes a moment so that `readMoment` reads it, to the minute. */
export function writeMoment(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/** Writes a moment as the value of a `MomentInput`: `2026-01-31T09:30`. */
export function inputMoment(at: Date): string {
  return writeMoment(at).replace(' ', 'T');
}
