import { lowestIdAt, timeOfId } from '@notify/core';
import { type Look, passBetween, type Place } from '@notify/db/events';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { readCursor } from './cursor.ts';

const mostDays = 7;
const dayMs = 86_400_000;

/** How much older than the list the place of a reader may be who began at its beginning, in ms. */
const graceMs = 3_600_000;

/** How far back the list goes: 7 days, or less if events are kept for less. */
export function listedDays(deliveryRetentionDays: number): number {
  return Math.min(mostDays, deliveryRetentionDays);
}

/** The place before the oldest event of the list. */
export function oldestPlace({ snapshot, at }: Look, days: number): Place {
  return { from: null, to: snapshot, after: lowestIdAt(new Date(at.getTime() - days * dayMs)) };
}

/** The same place. If it is after a pass, inside the next one, unless nothing was committed since. */
export function placeAt(place: Place, look: Look, days: number): Place {
  if ('to' in place) return place;
  const notBefore = new Date(look.at.getTime() - days * dayMs - graceMs);
  return passBetween(place.from, look, notBefore) ?? { from: look.snapshot };
}

/** The place of a cursor. Throws a Problem that names `at` when it is made up, or `cursor-expired`. */
export function resume(text: string, look: Look, days: number, at = 'query/cursor'): Place {
  const cursor = readCursor(text);
  if (cursor === null) {
    throw invalidRequest({ at, message: 'must be a nextCursor of the list or an id of the stream' });
  }
  const { history, place } = cursor;
  if (history !== look.history || newest(place) > look.snapshot.xmax) {
    throw new Problem('cursor-expired', {
      detail: 'It is from before the database was restored or taken over by another server.',
    });
  }
  if (isOlder(place, look.at.getTime() - days * dayMs)) {
    throw new Problem('cursor-expired', { detail: `It is older than ${days} days.` });
  }
  return place;
}

/** A number that no later transaction has. In the future of the database, it is from another history. */
function newest(place: Place): number {
  return Math.max(place.from?.xmax ?? 0, 'to' in place ? place.to.xmax : 0);
}

function isOlder(place: Place, ms: number): boolean {
  if (!('to' in place)) return place.from.since < ms;
  return place.to.since < ms || (place.from === null && timeOfId(place.after) < ms - graceMs);
}
