import type { Lane } from '@notify/core';
import type { OnError } from './backend.ts';
import { createGenerations, type Generations } from './generations.ts';
import { type PartitionCounts, partitionsOf, queueName, type TurnKind } from './partitions.ts';
import { openBackend, type QueueStore } from './store.ts';
import { startTaking, type TakingOptions, type TurnHandlers } from './taking.ts';
import { within } from './time-limit.ts';

/** What a watched worker tells of its queue. */
export type TurnNotice = 'turns-not-taken' | 'turn-worker-replaced' | 'turns-taken-again';

export interface TurnWorkersOptions extends QueueStore, PartitionCounts {
  readonly kind: TurnKind;
  readonly lane: Lane;
  /** The most concurrent turns in this process. Every partition gets an equal share of them, rounded up. */
  readonly slots: number;
  readonly onError: OnError;
  readonly onNotice?: (notice: TurnNotice, queue: string) => void;
}

/** Hands out the turns of one kind and lane. */
export interface TurnWorkers {
  /** The number of partitions of the lane. */
  readonly partitions: number;
  /** The most concurrent turns of one partition. */
  readonly concurrency: number;
  /** Hands out the turns of one partition until it is closed. */
  open(partition: number, handlers: TurnHandlers): TurnWorker;
  /** Closes the connections. Close every partition before. */
  close(): Promise<void>;
}

/** Hands out the turns of one partition. */
export interface TurnWorker {
  /** In ms: how long the store has answered no fetch, although there was room for turns. */
  readonly silentMs: number;
  /** It has been silent for so long that it hands out no turns. */
  readonly isWedged: boolean;
  /** Hands out no more turns. Waits for the running ones, however long they take, and up to 1 s for the store. */
  close(): Promise<void>;
}

const disconnectMs = 1_000;
/** A fetch takes 2 s when nothing waits. */
const lookEveryMs = 1_000;
const wedgedMs = 8_000;
/** Between two attempts to replace a worker while the store is away. */
const replaceEveryMs = 4_000;

/** Connects to the store by itself, and again whenever the store was away. Hands out no turns before `open`. */
export function openTurnWorkers(options: TurnWorkersOptions): TurnWorkers {
  const { kind, lane, slots, onError, onNotice = () => undefined } = options;
  const partitions = partitionsOf(lane, options);
  const concurrency = Math.ceil(slots / partitions);
  const generations = createGenerations(() => openBackend(options, 'worker', { partitions, onError }));
  return {
    partitions,
    concurrency,
    open(partition, handlers) {
      const name = queueName(kind, lane, partition);
      const taking = { ...handlers, name, concurrency, onError };
      return openTurnWorker(generations, taking, (notice) => onNotice(notice, name));
    },
    close: () => within(disconnectMs, 'closing the store', generations.close()).catch(onError),
  };
}

/**
 * Takes the turns of one queue. When the store answers others and not this worker, a new one with new connections takes
 * its place. The turns of the old one go on to their end.
 */
function openTurnWorker(
  generations: Generations,
  options: Omit<TakingOptions, 'onFetched'>,
  tell: (notice: TurnNotice) => void,
): TurnWorker {
  const replaced = new Set<Promise<void>>();
  let silentMs = 0;
  let closed = false;
  let taking = start();

  function start() {
    const started = startTaking(generations, {
      ...options,
      onFetched() {
        if (started !== taking) return;
        if (silentMs >= wedgedMs) tell('turns-taken-again');
        silentMs = 0;
      },
    });
    return started;
  }

  /** Counts its own ticks, so a process that was suspended for a while finds nothing wrong. */
  function look(): void {
    silentMs = taking.isFull ? 0 : silentMs + lookEveryMs;
    if (silentMs === wedgedMs) tell('turns-not-taken');
    if (silentMs >= wedgedMs && silentMs % replaceEveryMs === 0) void replace();
  }

  async function replace(): Promise<void> {
    const old = taking;
    const isAnswered = await old.renew();
    if (!isAnswered || closed || silentMs < wedgedMs || old !== taking) return;
    taking = start();
    tell('turn-worker-replaced');
    const ended = old.close().finally(() => replaced.delete(ended));
    replaced.add(ended);
  }

  const watch = setInterval(look, lookEveryMs).unref();
  return {
    get silentMs() {
      return silentMs;
    },
    get isWedged() {
      return silentMs >= wedgedMs;
    },
    async close() {
      closed = true;
      clearInterval(watch);
      await Promise.all([taking.close(), ...replaced]);
    },
  };
}
