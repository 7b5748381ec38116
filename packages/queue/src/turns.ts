import { type Backend, type OnError, openBackend, type QueueStore } from './backend.ts';
import { createFailurePauses } from './failure-pauses.ts';
import { type Lane, type PartitionCounts, partitionsOf, queueName, type TurnKind } from './partitions.ts';
import { within } from './time-limit.ts';
import { openTurnWorker } from './turn-worker.ts';
import { createUnderWay } from './under-way.ts';
import { openWaker, type Waker } from './waker.ts';

/** The part of a logger that turns need. */
export interface TurnLog {
  warn(fields: object, message: string): void;
}

export interface TurnOptions extends QueueStore, PartitionCounts {
  readonly kind: TurnKind;
  readonly lane: Lane;
  /** Turns that may run at once in this process; every partition has an equal part of them, rounded up. */
  readonly slots: number;
  /**
   * Looks at `id` and does what is due. Never twice at once for an id while the store is well; it may be after the
   * store was wiped, or when this process was blocked for longer than 5 s.
   */
  turn(id: string, context: TurnContext): Promise<void>;
  /** Asked after every turn, and many at once: when `id` is due again and in which lane; null when nothing waits. */
  nextDueMs(id: string): Promise<{ readonly delayMs: number; readonly lane: Lane } | null>;
  readonly onError: OnError;
  readonly log: TurnLog;
}

export interface TurnContext {
  /** Asks the turn to end soon. */
  readonly signal: AbortSignal;
  /** Whether all slots of the turn's partition are taken: others may be waiting for it to end. */
  readonly saturated: () => boolean;
  /**
   * Takes what remains to be settled when the turn ends, which never rejects: `nextDueMs` is asked only after that, and
   * `close` waits for it.
   */
  readonly settleLater: (settled: Promise<unknown>) => void;
}

export interface RunningTurns {
  /** Takes no more turns, aborts the signal of those that run, waits for them and for their next wakes. */
  close(): Promise<void>;
  /** Turns running now. */
  readonly active: number;
}

/** Turns of those partitions only that were added. */
export interface PartitionedTurns extends RunningTurns {
  /** Takes turns of one more partition. */
  add(partition: number): void;
  /** Does for one partition what `close` does for all; resolves when no turn of it runs. */
  remove(partition: number): Promise<void>;
}

const disconnectMs = 1_000;

/** Takes turns of one kind and lane, of all partitions, until closed. Survives its store being away, and never throws. */
export function runTurns(options: TurnOptions): RunningTurns {
  const turns = openTurns(options);
  const count = partitionsOf(options.lane, options);
  for (let partition = 0; partition < count; partition += 1) turns.add(partition);
  return turns;
}

/** The same for partitions that come and go: takes no turn before one is added. */
export function openTurns(options: TurnOptions): PartitionedTurns {
  const count = partitionsOf(options.lane, options);
  const backend = openBackend(options, 'worker', count, options.onError);
  const waker = openWaker(options);
  const concurrency = Math.ceil(options.slots / count);
  const open = new Map<number, TakenPartition>();

  async function remove(partition: number): Promise<void> {
    const taken = open.get(partition);
    open.delete(partition);
    await taken?.close();
  }

  async function closeAll(): Promise<void> {
    await Promise.all(Array.from(open.keys(), remove));
    await waker.close();
    await within(disconnectMs, 'closing the store', backend.close()).catch(options.onError);
  }

  let closed: Promise<void> | undefined;
  return {
    add(partition) {
      if (!open.has(partition))
        open.set(partition, takePartition(partition, concurrency, options, backend, waker));
    },
    remove,
    close: () => (closed ??= closeAll()),
    get active() {
      return Array.from(open.values()).reduce((sum, { active }) => sum + active, 0);
    },
  };
}

interface TakenPartition {
  readonly active: number;
  close(): Promise<void>;
}

function takePartition(
  partition: number,
  concurrency: number,
  options: TurnOptions,
  backend: Backend,
  waker: Waker,
): TakenPartition {
  const { kind, lane, onError } = options;
  const stopping = new AbortController();
  const underWay = createUnderWay();
  const settling = new Map<string, Promise<unknown>>();
  const running = new Set<string>();
  const pauses = createFailurePauses();

  function settleLater(id: string, settled: Promise<unknown>): void {
    const all = underWay.add(Promise.all([settling.get(id), settled]));
    settling.set(id, all);
    void all.then(() => {
      if (settling.get(id) === all) settling.delete(id);
    });
  }

  async function take(id: string): Promise<void> {
    running.add(id);
    try {
      await pauses.before(id, stopping.signal);
      await options.turn(id, {
        signal: stopping.signal,
        saturated: () => running.size >= concurrency,
        settleLater: (settled) => settleLater(id, settled),
      });
      pauses.worked(id);
    } catch (error) {
      // Before its job ends: the next turn of the id may begin right then.
      pauses.failed(id);
      throw error;
    } finally {
      running.delete(id);
    }
  }

  const worker = openTurnWorker(queueName(kind, lane, partition), backend, {
    concurrency,
    onError,
    take: (id) => underWay.add(take(id)),
    // Only now: a wake sent while the turn runs would replace that of somebody else.
    over(id, error) {
      const turn = {
        id,
        error,
        pauseMs: pauses.remainingMs(id),
        settled: settling.get(id),
        isFollowed: () => running.has(id),
      };
      void underWay.add(wakeAgain(options, waker, turn));
    },
  });

  /** Waits for the turns however long they take; for the store, which may be away, only so long. */
  async function close(): Promise<void> {
    stopping.abort();
    const ended = worker.close(!backend.reachable);
    await underWay.untilEmpty();
    await within(disconnectMs, 'closing a worker', ended).catch(onError);
    await underWay.untilEmpty();
  }

  return {
    close,
    get active() {
      return running.size;
    },
  };
}

interface EndedTurn {
  readonly id: string;
  readonly error: Error | null;
  /** How long the id waits for its next turn, because this one has failed. */
  readonly pauseMs: number;
  readonly settled: Promise<unknown> | undefined;
  /** Whether the next turn of the id runs here already, by a wake that came while this one ran. */
  readonly isFollowed: () => boolean;
}

/**
 * Wakes an id for when it is due next, which its settlements have a say in. A turn that has followed already will do that
 * at its own end. A wake during it would be the cause of one more that no other process could take, and so on for ever.
 */
async function wakeAgain(
  options: TurnOptions,
  waker: Waker,
  { id, error, pauseMs, settled, isFollowed }: EndedTurn,
): Promise<void> {
  const { kind, lane, log } = options;
  if (error) log.warn({ err: error, kind, lane, id }, 'turn failed');
  try {
    await settled;
    if (isFollowed()) return;
    const next = await options.nextDueMs(id);
    if (next !== null && !isFollowed())
      await waker.wake(kind, next.lane, id, Math.max(next.delayMs, pauseMs));
  } catch (reason) {
    log.warn({ err: reason, kind, lane, id }, 'next turn left to the sweeper');
  }
}
