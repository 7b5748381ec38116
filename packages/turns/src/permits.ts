/**
 * A fair semaphore over a resource that all turns of a process share, such as calls in flight. Users are served in the
 * order in which they ask, but a user with a backlog waits behind users with little to do.
 */
export interface Permits {
  readonly limit: number;
  readonly inUse: number;
  /** How many users wait for a permit. */
  readonly waiting: number;
  /** Waits for one permit. Call the result once to release it. */
  acquire(): Promise<() => void>;
  /**
   * Waits for permits and acquires up to `wanted` of them, at least one. A user that had to wait gets a few together,
   * or as many as came free within 5 ms, because one claim for several costs less than several claims. A `user` that
   * was granted 50 permits since its last `ranDry` has a backlog: it waits behind all others and gets none of the last
   * sixteenth of the permits. A new user counts as having a backlog after a few permits.
   */
  acquireSome(wanted: number, user?: string): Promise<(() => void)[]>;
  /** The user has no work left now: it used fewer permits than it was granted, or none of its work is due. */
  ranDry(user: string): void;
  /** Acquires up to `wanted` permits without waiting, possibly none. */
  tryAcquire(wanted: number): (() => void)[];
}

interface Waiter {
  readonly wanted: number;
  readonly user: string | undefined;
  readonly resolve: (permits: (() => void)[]) => void;
}

/** Permits are handed out in parts of a sixteenth, and a sixteenth is reserved for users without a backlog. */
const shares = 16;
const collectMs = 5;
/**
 * Permits in a row after which a user has a backlog. The idea comes from FQ-CoDel (RFC 8290, section 4.2): a new or
 * sparse flow is served first, until it has used its quantum without running empty.
 */
export const quantum = 50;
/** With more users than this, all are forgotten, and each then counts as a new one. */
const usersKept = 10_000;
/** As long as fewer users wait, nobody's work is counted: they wait for about one round of calls. */
const longQueue = 16;

export interface PermitsOptions {
  /**
   * Counts the work that waits for a user, up to the quantum of 50. Asked when a user without a known backlog joins a
   * long queue. So backlogs are known before they are served, also in a process that has just started.
   */
  readonly waitingFor?: (user: string) => Promise<number>;
}

/** A semaphore of `limit` permits. */
export function createPermits(limit: number, { waitingFor }: PermitsOptions = {}): Permits {
  const sparse: Waiter[] = [];
  const backlogged: Waiter[] = [];
  const granted = new Map<string, number>();
  const share = Math.ceil(limit / shares);
  const reserved = Math.floor(limit / shares);
  let inUse = 0;
  let collecting: NodeJS.Timeout | undefined;

  function grant(wanted: number, user?: string): (() => void)[] {
    const count = Math.max(0, Math.min(wanted, limit - inUse));
    inUse += count;
    if (user !== undefined) remember(user, count);
    return Array.from({ length: count }, () => once(release));
  }

  function remember(user: string, count: number): void {
    if (granted.size >= usersKept) granted.clear();
    granted.set(user, grantedTo(user) + count);
  }

  /** A new user may have a backlog. After a start all users are new, and those with little to do must not wait long. */
  function grantedTo(user: string): number {
    return granted.get(user) ?? quantum - share;
  }

  function release(): void {
    inUse -= 1;
    handOn();
  }

  function waiting(): number {
    return sparse.length + backlogged.length;
  }

  /** How many permits the users in `queue` may get. */
  function roomFor(queue: readonly Waiter[]): number {
    return (queue === sparse ? limit : limit - reserved) - inUse;
  }

  /** The queue to serve next, or undefined when nobody waits or no permit is free. */
  function next(): Waiter[] | undefined {
    const queue = sparse.length > 0 ? sparse : backlogged;
    return queue.length > 0 && roomFor(queue) > 0 ? queue : undefined;
  }

  function handOn(): void {
    for (let queue = next(); queue !== undefined && roomFor(queue) >= queue[0]!.wanted; queue = next())
      handToFirst(queue);
    if (next() !== undefined) collecting ??= setTimeout(handOnTheRest, collectMs);
  }

  function handOnTheRest(): void {
    collecting = undefined;
    for (let queue = next(); queue !== undefined; queue = next()) handToFirst(queue);
  }

  function handToFirst(queue: Waiter[]): void {
    const { wanted, user, resolve } = queue.shift()!;
    resolve(grant(Math.min(wanted, roomFor(queue)), user));
  }

  async function acquireSome(wanted: number, user?: string): Promise<(() => void)[]> {
    const queue = user !== undefined && grantedTo(user) >= quantum ? backlogged : sparse;
    const isFirst = sparse.length === 0 && (queue === sparse || backlogged.length === 0);
    const room = roomFor(queue);
    if (isFirst && room > 0) return grant(Math.min(Math.max(1, wanted), room), user);
    if (queue === sparse && sparse.length >= longQueue && user !== undefined) void lookAt(user);
    return new Promise((resolve) =>
      queue.push({ wanted: Math.max(1, Math.min(wanted, share)), user, resolve }),
    );
  }

  /** Moves a waiting user behind those with little waiting if its work would use up its quantum. */
  async function lookAt(user: string): Promise<void> {
    // If the work cannot be counted, the user keeps its place.
    const count = (await waitingFor?.(user).catch(() => 0)) ?? 0;
    if (grantedTo(user) + count < quantum) return;
    const at = sparse.findIndex((waiter) => waiter.user === user);
    if (at < 0) return;
    granted.set(user, quantum);
    backlogged.push(...sparse.splice(at, 1));
    handOn();
  }

  /** Moves a waiting user to the queue of those without a backlog. */
  function ranDry(user: string): void {
    const hadBacklog = grantedTo(user) >= quantum;
    granted.set(user, 0);
    if (!hadBacklog) return;
    const at = backlogged.findIndex((waiter) => waiter.user === user);
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
    acquire: async () => (await acquireSome(1))[0]!,
    acquireSome,
    ranDry,
    tryAcquire: (wanted) => (waiting() === 0 ? grant(wanted) : []),
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
