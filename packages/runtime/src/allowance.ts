/** What is scarce and shared by all turns of a process, such as calls in flight. First come, first served. */
export interface Allowance {
  readonly limit: number;
  readonly inUse: number;
  /** How many are waiting for a permit. */
  readonly waiting: number;
  /** Waits for one permit; call the result once to give it back. */
  take(): Promise<() => void>;
  /** Takes up to `wanted` permits at once without waiting, possibly none. */
  takeFree(wanted: number): (() => void)[];
}

/** An allowance of `limit` permits. */
export function createAllowance(limit: number): Allowance {
  const queue: (() => void)[] = [];
  let inUse = 0;

  function permit(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = queue.shift();
      if (next) next();
      else inUse -= 1;
    };
  }

  return {
    limit,
    get inUse() {
      return inUse;
    },
    get waiting() {
      return queue.length;
    },
    async take() {
      if (inUse < limit) inUse += 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return permit();
    },
    takeFree(wanted) {
      const count = Math.max(0, Math.min(wanted, limit - inUse));
      inUse += count;
      return Array.from({ length: count }, permit);
    },
  };
}
