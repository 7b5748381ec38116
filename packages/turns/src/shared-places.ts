import { createShares } from './shares.ts';

/** Places of a process that owners, such as tenants, share. Nobody waits for one. */
export interface SharedPlaces {
  /** Places that are taken. */
  readonly taken: number;
  /**
   * Takes a place. Says why there is none: the owner has all that it may have (`own`), or there are too few for all
   * (`all`). `giveWay` is called at most once, when the place has gone to another owner: end what it was for.
   */
  enter(owner: string, giveWay: () => void): HeldPlace | 'own' | 'all';
}

/** A place that is taken. */
export interface HeldPlace {
  /** Gives the place back. Calls after the first, or after it gave way, do nothing. */
  leave(): void;
  /** Has the place count as the owner's newest. */
  renew(): void;
}

export interface SharedPlacesOptions {
  readonly total: number;
  /** The most that one owner may have. Default: no limit. */
  readonly perOwner?: number;
  /** The last places, kept for owners that have none. Default: a tenth of all. */
  readonly reserved?: number;
}

/**
 * Shares places by max-min fairness (Bertsekas and Gallager, "Data Networks", 6.5.2). The last ones are only for owners without
 * any, so a new owner usually finds one at once. Where there is none for an owner, the longest-held place of the largest
 * owner gives way, if that leaves the largest with at least as many as the newcomer gets. So an owner loses a place only to
 * one that has less, and two of them cannot take a place from each other in turn.
 */
export function createSharedPlaces({
  total,
  perOwner = Infinity,
  reserved = Math.floor(total / 10),
}: SharedPlacesOptions): SharedPlaces {
  const shares = createShares<{ readonly giveWay: () => void }>();

  function isFree(own: number): boolean {
    return shares.size < (own === 0 ? total : total - reserved);
  }

  /** Whether the largest owner has made room for an owner with `own` places. */
  function makesRoom(own: number): boolean {
    const largest = shares.largest();
    if (largest === null || own + 1 >= largest.count) return false;
    const place = shares.oldestOf(largest.owner)!;
    shares.remove(largest.owner, place);
    place.giveWay();
    return true;
  }

  return {
    get taken() {
      return shares.size;
    },
    enter(owner, giveWay) {
      const own = shares.countOf(owner);
      if (own >= perOwner) return 'own';
      if (!isFree(own) && !makesRoom(own)) return 'all';
      const place = { giveWay };
      shares.add(owner, place);
      return {
        leave: () => void shares.remove(owner, place),
        renew() {
          if (shares.remove(owner, place)) shares.add(owner, place);
        },
      };
    },
  };
}
