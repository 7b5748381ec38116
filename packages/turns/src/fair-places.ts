import { Overdue } from '@notify/batching';

/** A few places for work, which groups such as tenants share. */
export interface FairPlaces {
  /** Waits for a place. Call the result to give it back; more calls do nothing. Throws `Overdue` after too long a wait. */
  acquire(group: string): Promise<() => void>;
  /** Runs the work when it has a place. Throws `Overdue`, and runs nothing, if it waits too long for one. */
  run<T>(group: string, work: () => Promise<T>): Promise<T>;
}

export interface FairPlacesOptions {
  readonly places: number;
  /** The most that one group has at once. With fewer than all, a group that has none finds one soon. */
  readonly perGroup: number;
  /** The longest wait for a place, in ms. Default: no limit. */
  readonly maxWaitMs?: number;
}

type Begin = () => void;

/**
 * Groups that wait are served in turn, and each in the order in which its work came. A group that has all that it may have is passed over.
 * So a group with much to do waits for itself, and others wait for one piece of work of each group at most.
 */
export function createFairPlaces({ places, perGroup, maxWaitMs }: FairPlacesOptions): FairPlaces {
  /** Those that wait, by group; the group whose turn is next comes first. */
  const waiting = new Map<string, Set<Begin>>();
  const running = new Map<string, number>();
  let taken = 0;

  function hasRoom(group: string): boolean {
    return taken < places && (running.get(group) ?? 0) < perGroup;
  }

  function change(group: string, by: 1 | -1): void {
    taken += by;
    const count = (running.get(group) ?? 0) + by;
    if (count === 0) running.delete(group);
    else running.set(group, count);
  }

  function remove(group: string, begin: Begin): void {
    const own = waiting.get(group)!;
    own.delete(begin);
    if (own.size === 0) waiting.delete(group);
  }

  /** Gives each free place to the next group that may have one, and puts that group last. */
  function serve(): void {
    for (let group = next(); group !== undefined; group = next()) {
      const own = waiting.get(group)!;
      const [begin] = own;
      remove(group, begin!);
      if (waiting.delete(group)) waiting.set(group, own);
      begin!();
    }
  }

  function next(): string | undefined {
    return taken < places ? waiting.keys().find(hasRoom) : undefined;
  }

  function enter(group: string): Promise<void> {
    if (!waiting.has(group) && hasRoom(group)) {
      change(group, 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        remove(group, begin);
        reject(new Overdue('waited too long for its place'));
      };
      const late = maxWaitMs === undefined ? undefined : setTimeout(leave, maxWaitMs);
      const begin = (): void => {
        clearTimeout(late);
        change(group, 1);
        resolve();
      };
      const own = waiting.get(group) ?? new Set();
      waiting.set(group, own.add(begin));
    });
  }

  async function acquire(group: string): Promise<() => void> {
    await enter(group);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(group, -1);
      serve();
    };
  }

  return {
    acquire,
    async run(group, work) {
      const leave = await acquire(group);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
