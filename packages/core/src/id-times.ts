// A UUIDv7 begins with its creation time, so a range of ids is a range of time.

/** The smallest UUIDv7 of an instant (RFC 9562: 48 bits of Unix milliseconds lead). */
export function lowestIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
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
