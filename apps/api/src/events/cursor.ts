import { isUuid } from '@notify/core';
import { mostRunning, type Place, type Snapshot } from '@notify/db/events';

/** A reader's place, and the history of the database in which it is one (`Look.history`). */
export interface Cursor {
  readonly history: string;
  readonly place: Place;
}

const version = 1;

/** Enough for two snapshots with as many running transactions as they can have, and it fits into a header. */
const maxLength = 12_000;

/** Opaque to clients: base64url of JSON. It names no tenant, so a reader sees only events of its own. */
export function writeCursor({ history, place }: Cursor): string {
  const [to, after] = 'to' in place ? [packed(place.to), place.after] : [null, null];
  const from = place.from === null ? null : packed(place.from);
  return Buffer.from(JSON.stringify([version, history, from, to, after])).toString('base64url');
}

/** Null when `writeCursor` never returned this text. */
export function readCursor(text: string): Cursor | null {
  if (text.length > maxLength) return null;
  const cursor = unpackCursor(parsed(Buffer.from(text, 'base64url').toString()));
  return cursor !== null && writeCursor(cursor) === text ? cursor : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unpackCursor(value: unknown): Cursor | null {
  if (!Array.isArray(value) || value.length !== 5 || value[0] !== version) return null;
  const [, history, first, second, after] = value as unknown[];
  const from = first === null ? null : unpacked(first);
  if (typeof history !== 'string' || (from === null && first !== null)) return null;
  if (second === null) return from === null || after !== null ? null : { history, place: { from } };
  const to = unpacked(second);
  if (to === null || typeof after !== 'string' || !isUuid(after)) return null;
  return { history, place: { from, to, after } };
}

/** Numbers relative to the snapshot's own, because a cursor goes with every event. */
function packed({ xmax, since, running }: Snapshot): unknown {
  return [xmax, since, running.flatMap(([xid, began]) => [xmax - xid, since - began])];
}

function unpacked(value: unknown): Snapshot | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [xmax, since, pairs] = value as unknown[];
  if (!isCount(xmax) || !isCount(since) || !Array.isArray(pairs)) return null;
  if (pairs.length % 2 !== 0 || pairs.length > 2 * mostRunning) return null;
  if (!pairs.every((one) => Number.isSafeInteger(one))) return null;
  const running: [number, number][] = [];
  for (let at = 0; at < pairs.length; at += 2)
    running.push([xmax - (pairs[at] as number), since - (pairs[at + 1] as number)]);
  return isOrdered(running, xmax) ? { xmax, since, running } : null;
}

/** Whether these are ascending numbers below `xmax`, with times that are times. */
function isOrdered(running: readonly (readonly [number, number])[], xmax: number): boolean {
  return running.every(
    ([xid, began], index) => isCount(xid) && isCount(began) && xid < (running[index + 1]?.[0] ?? xmax),
  );
}

/** A number that Postgres takes as `bigint` and JavaScript as a date. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 8.64e15;
}
