import type { Successes } from './event.ts';

/**
 * Whether this id is in the share, from 0 to 1. The same id has the same answer in every process, and ids of a larger
 * share include those of a smaller one.
 */
export function isInShare(id: string, share: number): boolean {
  return share >= 1 || hash(id) < share * 2 ** 32;
}

/** Whether a line with these fields tells of a success. */
export function isSuccess({ where, is }: Successes, fields: Readonly<Record<string, unknown>>): boolean {
  const value = fields[where];
  if ('least' in is) return typeof value === 'number' && value >= is.least && value < is.below;
  return typeof value === 'string' && is.includes(value);
}

/** FNV-1a with the last steps of MurmurHash3, because ids of one millisecond differ in few characters. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
