import { createFairQueue } from './fair-queue.ts';

/** What a request takes of a gate. */
export interface Share {
  /** Whom it belongs to. */
  readonly party: string;
  /** Takes its turn with the others of the party. Default: the party is one. */
  readonly subparty?: string;
  /** How many places it fills. It needs only one that is free. */
  readonly weight: number;
}

/** The places of one class of work, and a short queue for them. */
export interface Gate {
  /** Places that are filled. */
  readonly running: number;
  readonly waiting: number;
  /** Whether a request would be refused now. */
  refuses(share: Share): boolean;
  /** Takes a place at once if there is one and nothing waits. Give it back with `leave`. */
  tryEnter(share: Share): boolean;
  /**
   * Waits for a place. Parties are served in turn, and so are the subparties of each. In a full queue, a party with little waiting displaces one with much.
   * Resolves with why there will be none, or null once the place is taken. `gone` fires when the client hangs up.
   */
  wait(share: Share, gone: AbortSignal): Promise<Refusal | null>;
  leave(share: Share): void;
}

/** Why work was refused: too much waits, its turn came too late, or its client has gone. */
export type Refusal = 'full' | 'late' | 'gone';

/** The most that may wait in a burst. It is no overload, and its end is near. */
const burstWaiting = 1_000;
/**
 * When something has waited without a break for this share of the longest wait, the burst is an overload. A long queue
 * would then only make everything late ("Controlling Queue Delay", Nichols and Jacobson, 2012).
 */
const overloadAfter = 2 / 3;
/** The most that may wait in an overload, as a share of what is in progress. */
const overloadShare = 1 / 4;
/** A party with less than this share in progress, waiting included, is not what makes the overload. */
const sparseShare = 1 / 8;

interface Entry {
  readonly weight: number;
  /** Ends the waiting. Null: it has a place now. */
  readonly settle: (refusal: Refusal | null) => void;
}

export interface GateOptions {
  /** The longest wait for a place, in ms; default 750. */
  readonly waitMs?: number;
  /** Called when something has to wait. */
  readonly onWait?: () => void;
  /** A clock in ms. */
  readonly now?: () => number;
}

function pathOf({ party, subparty = '' }: Share): readonly string[] {
  return [party, subparty];
}

/**
 * A gate with so many places. A party with little in progress is never refused because others ask for too much: it waits
 * its turn even in an overload (the sparse flows of FQ-CoDel, RFC 8290, 4.2).
 */
export function createGate(places: () => number, options: GateOptions = {}): Gate {
  const { waitMs = 750, onWait = () => undefined, now = () => performance.now() } = options;
  const queue = createFairQueue<Entry>();
  const inProgress = new Map<string, number>();
  let running = 0;
  /** When the queue was last empty. */
  let emptyAt = now();

  function count(party: string, change: 1 | -1): void {
    const now = (inProgress.get(party) ?? 0) + change;
    if (now === 0) inProgress.delete(party);
    else inProgress.set(party, now);
  }

  /** How many of this party and all others may wait. */
  function roomFor(party: string): number {
    const isBurst = queue.size === 0 || now() - emptyAt < overloadAfter * waitMs;
    if (isBurst || (inProgress.get(party) ?? 0) < places() * sparseShare) return burstWaiting;
    return Math.max(1, Math.ceil(places() * overloadShare));
  }

  function startWaiting(): void {
    while (running < places() && queue.size > 0) {
      const entry = queue.take()!;
      running += entry.weight;
      entry.settle(null);
    }
    if (queue.size === 0) emptyAt = now();
  }

  /** Makes room for one more of the party. False if there is none. */
  function makeRoom(share: Share): boolean {
    if (queue.size < roomFor(share.party)) return true;
    const displaced = queue.displace(pathOf(share));
    displaced?.settle('full');
    return displaced !== undefined;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    refuses: (share) => queue.size >= roomFor(share.party) && !queue.wouldDisplace(pathOf(share)),
    tryEnter({ party, weight }) {
      if (queue.size > 0 || running >= places()) return false;
      running += weight;
      count(party, 1);
      return true;
    },
    wait(share, gone) {
      const { party, weight } = share;
      onWait();
      if (gone.aborted) return Promise.resolve('gone');
      if (queue.size === 0) emptyAt = now();
      if (!makeRoom(share)) return Promise.resolve('full');
      count(party, 1);
      return new Promise((resolve) => {
        const path = pathOf(share);
        const endWith = (refusal: Refusal) => (): void => {
          if (queue.remove(path, entry)) entry.settle(refusal);
        };
        const hangUp = endWith('gone');
        const timer = setTimeout(endWith('late'), waitMs);
        const entry: Entry = {
          weight,
          settle(refusal) {
            clearTimeout(timer);
            gone.removeEventListener('abort', hangUp);
            if (refusal !== null) count(party, -1);
            resolve(refusal);
          },
        };
        gone.addEventListener('abort', hangUp);
        queue.add(path, entry);
      });
    },
    leave({ party, weight }) {
      running -= weight;
      count(party, -1);
      startWaiting();
    },
  };
}
