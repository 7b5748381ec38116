import type { HeldPlace, SharedPlaces } from '@notify/turns';
import { Problem } from '../problems/problem.ts';

/** What a tenant reads that gets no place: because it has all that it may have, or because too few are left for all. */
export interface PlaceRefusals {
  readonly own: string;
  readonly all: string;
}

/** A place, and what fires when it went to a tenant that has fewer. */
export interface EnteredPlace extends Pick<HeldPlace, 'leave'> {
  readonly gaveWay: AbortSignal;
}

/** Takes one of the places that tenants share in a process. Throws the Problem of a tenant that gets none. */
export function enterSharedPlace(
  places: SharedPlaces,
  tenantId: string,
  { own, all }: PlaceRefusals,
): EnteredPlace {
  const gaveWay = new AbortController();
  const place = places.enter(tenantId, () => gaveWay.abort());
  if (place === 'own') throw new Problem('rate-limited', { detail: own, retryAfterSeconds: 1 });
  if (place === 'all') throw new Problem('unavailable', { detail: all, retryAfterSeconds: 1 });
  return { leave: () => place.leave(), gaveWay: gaveWay.signal };
}
