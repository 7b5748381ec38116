/** Counts by key. All counts restart after a second. */
export interface PerSecond {
  of(key: string): number;
  add(key: string): void;
}

/** Makes a counter. `now` is a clock in ms that never goes back. */
export function createPerSecond(now: () => number = () => performance.now()): PerSecond {
  const counts = new Map<string, number>();
  let endsAt = 0;
  function current(): Map<string, number> {
    if (now() < endsAt) return counts;
    endsAt = now() + 1_000;
    counts.clear();
    return counts;
  }
  return {
    of: (key) => current().get(key) ?? 0,
    add: (key) => void current().set(key, (counts.get(key) ?? 0) + 1),
  };
}
