/** Who holds how many of something that is shared, and since when. All its operations take the same time at any size. */
export interface Shares<Held> {
  /** Everything that is held. */
  readonly size: number;
  countOf(owner: string): number;
  /** Notes that the owner holds one more. It is the owner's newest. */
  add(owner: string, held: Held): void;
  /** False if the owner does not hold it. */
  remove(owner: string, held: Held): boolean;
  /** The owner that holds the most, and how many. Null while nothing is held. */
  largest(): { readonly owner: string; readonly count: number } | null;
  /** What the owner has held for the longest time. */
  oldestOf(owner: string): Held | undefined;
}

/** Nothing is held at first. */
export function createShares<Held>(): Shares<Held> {
  const byOwner = new Map<string, Set<Held>>();
  /** The owners of each count above 0. */
  const byCount = new Map<number, Set<string>>();
  let size = 0;
  let most = 0;

  function count(owner: string, before: number, now: number): void {
    size += now - before;
    const same = byCount.get(before);
    same?.delete(owner);
    if (same?.size === 0) byCount.delete(before);
    if (now > 0) byCount.set(now, (byCount.get(now) ?? new Set()).add(owner));
    // One more or one less: where the largest is gone, it is the one that has one less now.
    if (now > most || !byCount.has(most)) most = now;
  }

  return {
    get size() {
      return size;
    },
    countOf: (owner) => byOwner.get(owner)?.size ?? 0,
    add(owner, held) {
      const own = byOwner.get(owner) ?? new Set();
      byOwner.set(owner, own);
      const before = own.size;
      own.add(held);
      count(owner, before, own.size);
    },
    remove(owner, held) {
      const own = byOwner.get(owner);
      if (own?.delete(held) !== true) return false;
      if (own.size === 0) byOwner.delete(owner);
      count(owner, own.size + 1, own.size);
      return true;
    },
    largest() {
      const [owner] = byCount.get(most) ?? [];
      return owner === undefined ? null : { owner, count: most };
    },
    oldestOf: (owner) => byOwner.get(owner)?.values().next().value,
  };
}
