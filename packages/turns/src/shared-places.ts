import { createShares } from './shares.ts';

/** Places of a process that owners, such as tenants, share. Nobody waits for one. */
export interface SharedPlaces {
  /** Places that are taken. */
  readonly taken: number;
  /**
   * Takes a place. Says why there is none: the owner has all that it may have (`own`), or there are too few for all
   * (`all`). `giveWay` is called at most once, when the place has gone to another owner: end what it was for. A place does
   * not give way while `isBusy` says so. Default: never.
   */
  enter(owner: string, giveWay: () => void, isBusy?: () => boolean): HeldPlace | 'own' | 'all';
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

interface Place {
  readonly giveWay: () => void;
  readonly isBusy: () => boolean;
}

/**
 * Shares places by max-min fairness (Bertsekas and Gallager, "Data Networks", 6.5.2). The last ones are only for owners without
 * any, so a new owner usually finds one at once. Where there is none for an owner, the longest-held place of the largest
 * owner that is not busy gives way, if that leaves the largest with at least as many as the newcomer gets. So an owner loses a place only to
 * one that has less, and two of them cannot take a place from each other in turn.
 */
export function createSharedPlaces({
  total,
  perOwner = Infinity,
  reserved = Math.floor(total / 10),
}: SharedPlacesOptions): SharedPlaces {
  const shares = createShares<Place>();

  function isFree(own: number): boolean {
    return shares.size < (own === 0 ? total : total - reserved);
  }

  /** Whether the largest owner has made room for an owner with `own` places. */
  function makesRoom(own: number): boolean {
    const largest = shares.largest();
    if (largest === null || own + 1 >= largest.count) return false;
    for (let looked = 0; looked < largest.count; looked += 1) {
      const place = shares.oldestOf(largest.owner)!;
      shares.remove(largest.owner, place);
      if (!place.isBusy()) {
        place.giveWay();
        return true;
      }
      // In use just now, so it is the newest. The next look begins behind it.
      shares.add(largest.owner, place);
    }
    return false;
  }

  return {
    get taken() {
      return shares.size;
    },
    enter(owner, giveWay, isBusy = () => false) {
      const own = shares.countOf(owner);
      if (own >= perOwner) return 'own';
      if (!isFree(own) && !makesRoom(own)) return 'all';
      const place = { giveWay, isBusy };
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
