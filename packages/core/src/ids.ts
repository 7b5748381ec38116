/** The kind of thing that an id names. The prefix stands before a UUIDv7, as in `msg_01912d68-…`. */
export type IdPrefix =
  'ten' | 'key' | 'msg' | 'wh' | 'evt' | 'ses' | 'dlv' | 'bat' | 'cnv' | 'tok' | 'grp' | 'ver' | 'file';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Writes a bare UUID as the interface shows it. */
export function formatId(prefix: IdPrefix, bare: string): string {
  return `${prefix}_${bare}`;
}

/** Reads an id with or without its prefix, in any case. Null when it cannot be one (callers respond with a 404). */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const lower = text.toLowerCase();
  const bare = lower.startsWith(`${prefix}_`) ? lower.slice(prefix.length + 1) : lower;
  return uuid.test(bare) ? bare : null;
}

/** True for a bare UUID, in any case. */
export function isUuid(text: string): boolean {
  return uuid.test(text.toLowerCase());
}

// A UUIDv7 begins with its creation time, so a range of ids is a range of time.

/** The smallest UUIDv7 of an instant (RFC 9562: 48 bits of Unix milliseconds lead). One before 1970 counts as 1970. */
export function lowestIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The lowest id. */
export const lowestId = '00000000-0000-0000-0000-000000000000';
/** The highest id. */
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The instant in a UUIDv7, in ms since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
