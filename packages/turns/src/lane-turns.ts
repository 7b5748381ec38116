import {
  openTurnWorkers,
  openWaker,
  type TurnNotice,
  type TurnWorker,
  type TurnWorkersOptions,
} from '@notify/queue';
import { metrics } from '@notify/telemetry';
import { laneLabels, showFetchAge, showPermits, showTurns } from './lane-metrics.ts';
import { createPartitionTurns, type PartitionTurns, type PartitionTurnsOptions } from './partition-turns.ts';
import type { Permits } from './permits.ts';

export interface LaneTurnsOptions extends TurnWorkersOptions, PartitionTurnsOptions {
  /** The permits of the lane's calls and files, which are shown to operators. */
  readonly permits?: Permits;
  readonly mediaPermits?: Permits;
}

/** Takes the turns of the partitions that were added. */
export interface LaneTurns {
  /** Starts to take the turns of one more partition. */
  add(partition: number): void;
  addAll(): void;
  /**
   * Takes no more turns of a partition and asks the running ones to end. Aborts their calls after 7 s. Resolves when no
   * turn of the partition runs, everything is settled, and the next wakes are sent.
   */
  remove(partition: number): Promise<void>;
  /** Removes all partitions and closes the connections. */
  close(): Promise<void>;
  /** Throws if the store answers no fetch of an added partition, so its turns are not taken here. */
  demandTaking(): void;
  /** Turns running now. */
  readonly active: number;
  /** Whether a turn of the id runs in this process now. At its end it wakes the id if more is due. */
  has(id: string): boolean;
}

/** Takes turns of one kind and lane. After each turn, wakes its id for its next due time. Never throws. */
export function openLaneTurns(options: LaneTurnsOptions): LaneTurns {
  const workers = openTurnWorkers({ ...options, onNotice: (notice, queue) => note(options, notice, queue) });
  const waker = openWaker(options);
  const open = new Map<number, { readonly turns: PartitionTurns; readonly worker: TurnWorker }>();
  const active = (): number => Array.from(open.values()).reduce((sum, { turns }) => sum + turns.active(), 0);
  const silentMs = (): number => Math.max(0, ...Array.from(open.values(), ({ worker }) => worker.silentMs));
  const shown = show(options, active, () => open.size * workers.concurrency, silentMs);

  function add(partition: number): void {
    if (open.has(partition)) return;
    const turns = createPartitionTurns(options, workers.concurrency, waker);
    open.set(partition, { turns, worker: workers.open(partition, turns) });
  }

  async function remove(partition: number): Promise<void> {
    const taken = open.get(partition);
    open.delete(partition);
    await taken?.turns.close(taken.worker);
  }

  async function closeAll(): Promise<void> {
    await Promise.all(Array.from(open.keys(), remove));
    for (const end of shown) end();
    await waker.close();
    await workers.close();
  }

  let closed: Promise<void> | undefined;
  return {
    add,
    addAll() {
      for (let partition = 0; partition < workers.partitions; partition += 1) add(partition);
    },
    remove,
    close: () => (closed ??= closeAll()),
    demandTaking() {
      for (const { worker } of open.values()) if (worker.isWedged) throw new Error('turns are not taken');
    },
    has: (id) => Array.from(open.values()).some(({ turns }) => turns.has(id)),
    get active() {
      return active();
    },
  };
}

function note(options: LaneTurnsOptions, notice: TurnNotice, queue: string): void {
  if (notice === 'turn-worker-replaced') metrics.turns.replaced.inc({ ...laneLabels(options) });
  options.log.tell(notice, { queue });
}

/** Shows the lane at each scrape, until the results are called. */
function show(
  { permits, mediaPermits, ...lane }: LaneTurnsOptions,
  active: () => number,
  slots: () => number,
  silentMs: () => number,
): (() => void)[] {
  const labels = laneLabels(lane);
  return [
    showTurns(labels, active, slots),
    showFetchAge(labels, silentMs),
    ...(permits === undefined ? [] : [showPermits(labels, 'calls', permits)]),
    ...(mediaPermits === undefined ? [] : [showPermits(labels, 'media', mediaPermits)]),
  ];
}
