/** What is scarce and shared by all turns of a process, such as calls in flight. First come, first served. */
export interface Allowance {
  readonly limit: number;
  readonly inUse: number;
  /** How many are waiting for a permit. */
  readonly waiting: number;
  /** Waits for one permit; call the result once to give it back. */
  take(): Promise<() => void>;
  /**
   * Waits for permits and takes up to `wanted` of them, at least one. Where they have run out they are handed on a few
   * together, or as many as came free within 5 ms: what each holder then does with them costs less than one by one.
   */
  takeSome(wanted: number): Promise<(() => void)[]>;
  /** Takes up to `wanted` permits at once without waiting, possibly none. */
  takeFree(wanted: number): (() => void)[];
}

/** Who waits for permits. */
interface Waiter {
  readonly wanted: number;
  readonly resolve: (permits: (() => void)[]) => void;
}

/** Permits handed on together: one of so many parts of all. */
const shares = 16;
const gatherMs = 5;

/** An allowance of `limit` permits. */
export function createAllowance(limit: number): Allowance {
  const queue: Waiter[] = [];
  const share = Math.ceil(limit / shares);
  let inUse = 0;
  let gathering: NodeJS.Timeout | undefined;

  function grant(wanted: number): (() => void)[] {
    const count = Math.max(0, Math.min(wanted, limit - inUse));
    inUse += count;
    return Array.from({ length: count }, () => once(giveBack));
  }

  function giveBack(): void {
    inUse -= 1;
    handOn();
  }

  function handOn(): void {
    while (queue.length > 0 && limit - inUse >= queue[0]!.wanted) handToNext();
    if (queue.length > 0 && inUse < limit) gathering ??= setTimeout(handOnTheRest, gatherMs);
  }

  function handOnTheRest(): void {
    gathering = undefined;
    while (queue.length > 0 && inUse < limit) handToNext();
  }

  function handToNext(): void {
    const { wanted, resolve } = queue.shift()!;
    resolve(grant(wanted));
  }

  async function takeSome(wanted: number): Promise<(() => void)[]> {
    if (inUse < limit && queue.length === 0) return grant(Math.max(1, wanted));
    return new Promise((resolve) => queue.push({ wanted: Math.max(1, Math.min(wanted, share)), resolve }));
  }

  return {
    limit,
    get inUse() {
      return inUse;
    },
    get waiting() {
      return queue.length;
    },
    take: async () => (await takeSome(1))[0]!,
    takeSome,
    takeFree: (wanted) => (queue.length > 0 ? [] : grant(wanted)),
  };
}

function once(run: () => void): () => void {
  let ran = false;
  return () => {
    if (ran) return;
    ran = true;
    run();
  };
}
