import { availableParallelism } from 'node:os';
import { Problem } from '../../problems/problem.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { createFairQueue } from '../../admission/fair-queue.ts';
import { networksOf } from '../../http/address/networks.ts';

/** The client that causes the hashing or checking of a password. */
export interface Asker {
  /** The client's address. */
  readonly address: string;
  /** The account of the password: its email address or its id. */
  readonly account: string;
  /** The client has been logged in to this account before. */
  readonly known: boolean;
  /** Aborted when the client hangs up. */
  readonly gone: AbortSignal;
}

/** The asker of a request that concerns a password of `account`. */
export function askerOf(
  { address, gone }: Pick<RequestInfo, 'address' | 'gone'>,
  account: string,
  known: boolean,
): Asker {
  return { address: address(), account, known, gone: gone() };
}

/** Shares the processor time for passwords fairly among clients. */
export interface PasswordQueue {
  /** Jobs in progress. */
  readonly running: number;
  readonly waiting: number;
  /**
   * Runs the job when its turn comes. Rejects with `unavailable`, without running it, if too many wait, if the turn
   * comes too late, or if the client hangs up first.
   */
  run<T>(asker: Asker, job: () => Promise<T>): Promise<T>;
}

export interface PasswordQueueLimits {
  readonly maxRunning: number;
  /** Jobs that may wait. Known clients have as many places again. */
  readonly maxWaiting: number;
  /** Jobs of one account that may wait, from all networks together. Known clients have as many places again. */
  readonly maxWaitingPerAccount: number;
  readonly maxWaitMs: number;
}

/** bcrypt may use this many of libuv's four threads, which also resolve names and read files. */
const maxThreads = 2;

/** At bcrypt's default cost two cores check about eight passwords a second, so 64 finish within `maxWaitMs`. */
const defaultLimits: PasswordQueueLimits = {
  maxRunning: Math.min(maxThreads, availableParallelism()),
  maxWaiting: 64,
  maxWaitingPerAccount: 4,
  maxWaitMs: 10_000,
};

const retryAfterSeconds = 5;
/** Known clients go before strangers, but strangers get every fifth turn. */
const knownInRow = 4;

interface Entry {
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * A queue with these limits. Turns rotate by network (/24 or /48), within a network by client (address or /64), and
 * within a client by account. In a full queue a newcomer displaces an entry of the network, client or account that has
 * the most.
 */
export function createPasswordQueue(limits: PasswordQueueLimits = defaultLimits): PasswordQueue {
  const [known, strangers] = [createBoundedQueue(limits), createBoundedQueue(limits)];
  let running = 0;
  let inRow = 0;

  function next(): Entry | undefined {
    const strangersTurn = known.size === 0 || (inRow >= knownInRow && strangers.size > 0);
    inRow = strangersTurn ? 0 : inRow + 1;
    return (strangersTurn ? strangers : known).take();
  }

  function startWaiting(): void {
    while (running < limits.maxRunning) {
      const entry = next();
      if (entry === undefined) return;
      running += 1;
      entry.start();
    }
  }

  async function turnOf(asker: Asker): Promise<void> {
    if (asker.gone.aborted) throw refusal();
    if (running >= limits.maxRunning) return (asker.known ? known : strangers).wait(asker);
    running += 1;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return known.size + strangers.size;
    },
    async run(asker, job) {
      await turnOf(asker);
      try {
        return await job();
      } finally {
        running -= 1;
        startWaiting();
      }
    },
  };
}

interface BoundedQueue {
  readonly size: number;
  /** Resolves when the entry is taken. Rejects if it leaves the queue before. */
  wait(asker: Asker): Promise<void>;
  take(): Entry | undefined;
}

function createBoundedQueue({
  maxWaiting,
  maxWaitingPerAccount,
  maxWaitMs,
}: PasswordQueueLimits): BoundedQueue {
  const queue = createFairQueue<Entry>();
  const accounts = new Map<string, number>();

  function count({ account }: Asker, change: 1 | -1): void {
    const now = (accounts.get(account) ?? 0) + change;
    if (now === 0) accounts.delete(account);
    else accounts.set(account, now);
  }

  function hasRoom({ account }: Asker, path: readonly string[]): boolean {
    if ((accounts.get(account) ?? 0) >= maxWaitingPerAccount) return false;
    if (queue.size < maxWaiting) return true;
    const displaced = queue.displace(path);
    displaced?.refuse();
    return displaced !== undefined;
  }

  return {
    get size() {
      return queue.size;
    },
    take: () => queue.take(),
    async wait(asker) {
      const { wide, narrow } = networksOf(asker.address);
      const path = [wide, narrow, asker.account];
      if (!hasRoom(asker, path)) throw refusal();
      count(asker, 1);
      try {
        await new Promise<void>((resolve, reject) => {
          const entry = { start: resolve, refuse: () => reject(refusal()) };
          queue.add(path, entry);
          const ends = AbortSignal.any([asker.gone, AbortSignal.timeout(maxWaitMs)]);
          ends.addEventListener('abort', () => {
            if (queue.remove(path, entry)) entry.refuse();
          });
        });
      } finally {
        count(asker, -1);
      }
    },
  };
}

function refusal(): Problem {
  return new Problem('unavailable', {
    detail: 'Too many passwords are waiting to be checked.',
    retryAfterSeconds,
  });
}
