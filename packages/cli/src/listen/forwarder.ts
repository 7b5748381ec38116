import { type Entry, laneOf } from './entry.ts';

/** How many events per permit may wait for their turn. Then reading pauses, and the service waits. */
const waitingPerPermit = 8;

/** Forwards events as they are taken. */
export interface Forwarder {
  /** Takes the next event of the stream. Resolves when there is room for another one. */
  take(entry: Entry): Promise<void>;
  /** Moves the position over something that is not forwarded, once everything before it has been. */
  skip(cursor: string): void;
  /** Events taken that have no result, also those that gave up without one. */
  readonly unfinished: number;
  /** Resolves when all that was taken has a result or has given up. */
  finished(): Promise<void>;
}

/** How events are forwarded. */
export interface ForwarderOptions {
  /** How many events are forwarded at the same time. */
  readonly concurrency: number;
  /** Forwards one event. Resolves with false if it gave up without a result: then the position stays before the event. */
  readonly forward: (entry: Entry) => Promise<boolean>;
  /** Called when everything up to this cursor has a result. */
  readonly onPosition: (cursor: string) => void;
}

interface Step {
  readonly cursor: string | null;
  done: boolean;
}

/** Forwards the events of a lane in their order, and different lanes side by side. */
export function createForwarder({ concurrency, forward, onPosition }: ForwarderOptions): Forwarder {
  const lanes = new Map<string, Promise<void>>();
  const steps: Step[] = [];
  const permits = createPermits(concurrency);
  const waiters = new Set<() => void>();
  /** Events that wait for their turn or are being forwarded. */
  let running = 0;
  let unfinished = 0;

  function advance(): void {
    let cursor: string | null = null;
    while (steps[0]?.done === true) cursor = steps.shift()?.cursor ?? cursor;
    if (cursor !== null) onPosition(cursor);
  }

  async function run(entry: Entry, step: Step, before: Promise<void> | undefined): Promise<void> {
    await before;
    const release = await permits.acquire();
    try {
      step.done = await forward(entry);
    } finally {
      release();
      running -= 1;
      if (step.done) unfinished -= 1;
      advance();
      for (const wake of waiters) wake();
      waiters.clear();
    }
  }

  async function until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await new Promise<void>((resolve) => waiters.add(resolve));
  }

  return {
    async take(entry) {
      const step: Step = { cursor: entry.cursor, done: false };
      steps.push(step);
      running += 1;
      unfinished += 1;
      const lane = laneOf(entry.event);
      const own = run(entry, step, lanes.get(lane));
      lanes.set(lane, own);
      void own.finally(() => lanes.get(lane) === own && lanes.delete(lane));
      await until(() => running < concurrency * waitingPerPermit);
    },
    skip(cursor) {
      steps.push({ cursor, done: true });
      advance();
    },
    get unfinished() {
      return unfinished;
    },
    finished: () => until(() => running === 0),
  };
}

interface Permits {
  /** Resolves with the function that gives the permit back. */
  acquire(): Promise<() => void>;
}

function createPermits(count: number): Permits {
  const queue: (() => void)[] = [];
  let free = count;
  const release = (): void => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return release;
    },
  };
}
