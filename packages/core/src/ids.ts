/** The kind of thing that an id names. The prefix stands before a UUIDv7, as in `msg_01912d68-…`. */
export type IdPrefix = 'ten' | 'key' | 'msg' | 'wh' | 'evt' | 'ses' | 'dlv' | 'cnv' | 'tok' | 'grp' | 'ver';

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
