/**
 * What is scarce and shared by all turns of a process, such as calls in flight. First come, first served; but who keeps
 * taking without ever being done waits behind those who want little, who are served as if they were alone.
 */
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
   * A `taker` that was granted 50 since it was last `done` waits behind all others and gets none of the last sixteenth of
   * the permits; so does a new one after a few.
   */
  takeSome(wanted: number, taker?: string): Promise<(() => void)[]>;
  /** Tells that nothing of a taker's work waits now: it had use for less than it was granted, or was looked at. */
  done(taker: string): void;
  /** Takes up to `wanted` permits at once without waiting, possibly none. */
  takeFree(wanted: number): (() => void)[];
}

/** Who waits for permits. */
interface Waiter {
  readonly wanted: number;
  readonly taker: string | undefined;
  readonly resolve: (permits: (() => void)[]) => void;
}

/** Permits handed on together: one of so many parts of all. As much is kept for those who want little. */
const shares = 16;
const gatherMs = 5;
/**
 * Permits in a row before a taker counts as one with a backlog. The idea is that of FQ-CoDel (RFC 8290, section 4.2): a
 * flow that is new or sparse is served first, until it has had its quantum without having run empty.
 */
const quantum = 50;
/** More takers than this are forgotten; each is then served as a new one. */
const takersKept = 10_000;

/** An allowance of `limit` permits. */
export function createAllowance(limit: number): Allowance {
  const sparse: Waiter[] = [];
  const backlogged: Waiter[] = [];
  const taken = new Map<string, number>();
  const share = Math.ceil(limit / shares);
  const kept = Math.floor(limit / shares);
  let inUse = 0;
  let gathering: NodeJS.Timeout | undefined;

  function grant(wanted: number, taker?: string): (() => void)[] {
    const count = Math.max(0, Math.min(wanted, limit - inUse));
    inUse += count;
    if (taker !== undefined) remember(taker, count);
    return Array.from({ length: count }, () => once(giveBack));
  }

  function remember(taker: string, count: number): void {
    if (taken.size >= takersKept) taken.clear();
    taken.set(taker, takenBy(taker) + count);
  }

  /** Who is new may have a backlog: after a start everybody is new, and who has little must not wait for all of that. */
  function takenBy(taker: string): number {
    return taken.get(taker) ?? quantum - share;
  }

  function giveBack(): void {
    inUse -= 1;
    handOn();
  }

  function waiting(): number {
    return sparse.length + backlogged.length;
  }

  /** How many permits may go to who waits in `queue`. */
  function roomFor(queue: readonly Waiter[]): number {
    return (queue === sparse ? limit : limit - kept) - inUse;
  }

  /** The queue whose first is served next, unless there is nobody or nothing. */
  function next(): Waiter[] | undefined {
    const queue = sparse.length > 0 ? sparse : backlogged;
    return queue.length > 0 && roomFor(queue) > 0 ? queue : undefined;
  }

  function handOn(): void {
    for (let queue = next(); queue !== undefined && roomFor(queue) >= queue[0]!.wanted; queue = next())
      handToFirst(queue);
    if (next() !== undefined) gathering ??= setTimeout(handOnTheRest, gatherMs);
  }

  function handOnTheRest(): void {
    gathering = undefined;
    for (let queue = next(); queue !== undefined; queue = next()) handToFirst(queue);
  }

  function handToFirst(queue: Waiter[]): void {
    const { wanted, taker, resolve } = queue.shift()!;
    resolve(grant(Math.min(wanted, roomFor(queue)), taker));
  }

  async function takeSome(wanted: number, taker?: string): Promise<(() => void)[]> {
    const queue = taker !== undefined && takenBy(taker) >= quantum ? backlogged : sparse;
    const isFirst = sparse.length === 0 && (queue === sparse || backlogged.length === 0);
    const room = roomFor(queue);
    if (isFirst && room > 0) return grant(Math.min(Math.max(1, wanted), room), taker);
    return new Promise((resolve) =>
      queue.push({ wanted: Math.max(1, Math.min(wanted, share)), taker, resolve }),
    );
  }

  /** Who asks already is served as one that wants little from now on. */
  function done(taker: string): void {
    const isBacklogged = takenBy(taker) >= quantum;
    taken.set(taker, 0);
    if (!isBacklogged) return;
    const at = backlogged.findIndex((waiter) => waiter.taker === taker);
    if (at >= 0) sparse.push(...backlogged.splice(at, 1));
    handOn();
  }

  return {
    limit,
    get inUse() {
      return inUse;
    },
    get waiting() {
      return waiting();
    },
    take: async () => (await takeSome(1))[0]!,
    takeSome,
    done,
    takeFree: (wanted) => (waiting() === 0 ? grant(wanted) : []),
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
