import type { NextTurn } from '@notify/core';
import {
  createUnderWay,
  type TurnHandlers,
  type TurnWorker,
  type TurnWorkersOptions,
  type Waker,
} from '@notify/queue';
import { lastCallsMs, type Log } from '@notify/runtime';
import { createDeadlines } from './deadlines.ts';
import { createFailurePauses } from './failure-pauses.ts';
import type { TurnContext } from './turn.ts';

/** The part of a log that turns need. */
export type TurnLog = Pick<Log, 'tell' | 'tells'>;

export interface PartitionTurnsOptions extends Pick<TurnWorkersOptions, 'kind' | 'lane'> {
  /**
   * Looks at one account or webhook and does its due work. While the store is well, an id has at most one turn at a
   * time. Two can run at once after the store was wiped, or when this process was blocked for longer than 5 s.
   */
  turn(context: TurnContext): Promise<void>;
  /** Called after every turn, and for many ids at once. Null when nothing waits. */
  nextDue(id: string): Promise<NextTurn | null>;
  /** Called after a turn when no work of the id is due now. */
  readonly ranDry?: (id: string) => void;
  readonly log: TurnLog;
}

/** The turns of one partition, and the wakes that follow them. */
export interface PartitionTurns extends TurnHandlers {
  /** Turns running now. */
  readonly active: () => number;
  /** Whether a turn of the id runs now. */
  readonly has: (id: string) => boolean;
  /**
   * Asks the turns to end, and aborts their calls after 7 s. Resolves when no turn runs, everything is settled and the
   * next wakes are sent.
   */
  close(worker: TurnWorker): Promise<void>;
}

/** Runs the turns of one partition. The worker takes up to `concurrency` of them at once. */
export function createPartitionTurns(
  options: PartitionTurnsOptions,
  concurrency: number,
  waker: Waker,
): PartitionTurns {
  const stopping = new AbortController();
  const deadlines = createDeadlines();
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

  function tellEnd(id: string, beganAt: number): void {
    const { kind, lane, log } = options;
    if (!log.tells('turn-ended')) return;
    log.tell('turn-ended', { kind, lane, id, durationMs: Math.round(performance.now() - beganAt) });
  }

  async function take(id: string): Promise<void> {
    const beganAt = performance.now();
    running.add(id);
    try {
      await pauses.before(id, stopping.signal);
      await options.turn({
        id,
        stopping: stopping.signal,
        deadlines,
        othersWait: () => running.size >= concurrency,
        settleLater: (settled) => settleLater(id, settled),
      });
      pauses.worked(id);
    } catch (error) {
      // Noted before the job ends, because the next turn of the id may begin right then.
      pauses.failed(id);
      throw error;
    } finally {
      running.delete(id);
      tellEnd(id, beganAt);
    }
  }

  /**
   * Wakes the id for its next due time, once the turn's settlements have set it. If the next turn runs already, that
   * turn does it at its own end. Waking during that turn would cause one more turn, which no other process could take,
   * and so on for ever.
   */
  async function wakeAgain(id: string, error: Error | null): Promise<void> {
    const { kind, lane, log } = options;
    const pauseMs = pauses.remainingMs(id);
    const isFollowed = (): boolean => running.has(id);
    if (error) log.tell('turn-failed', { err: error, kind, lane, id });
    try {
      await settling.get(id);
      if (isFollowed()) return;
      const next = await options.nextDue(id);
      if (next === null || next.delayMs > 0) options.ranDry?.(id);
      if (next === null || isFollowed()) return;
      const delayMs = Math.max(next.delayMs, pauseMs);
      await waker.wakeMany(kind, [{ lane: next.lane, id, delayMs, afterOthers: delayMs === 0 }]);
    } catch (reason) {
      log.tell('next-turn-left', { err: reason, kind, lane, id });
    }
  }

  return {
    take,
    // Sent after the turn: a wake sent during the turn would replace an earlier wake by another sender.
    over: (id, error) => void underWay.add(wakeAgain(id, error)),
    active: () => running.size,
    has: (id) => running.has(id),
    async close(worker) {
      stopping.abort();
      const lastCalls = setTimeout(() => deadlines.endAll(), lastCallsMs);
      await worker.close();
      await underWay.untilEmpty();
      clearTimeout(lastCalls);
    },
  };
}
