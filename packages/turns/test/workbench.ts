import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openWaker, type QueueStore, type Waker } from '@notify/queue';
import { type LaneTurns, type LaneTurnsOptions, openLaneTurns } from '../src/lane-turns.ts';
import { type Ledger, openLedger } from './ledger.ts';

export const farAwayMs = 3_600_000;

/** A worker process of its own. */
export interface WorkerProcess {
  /** Ids whose turns it began. */
  readonly ids: readonly string[];
  kill(): Promise<void>;
}

/** Workers and wakers of one test over one store; `close` ends them all. */
export interface Bench {
  readonly ledger: Ledger;
  /** Takes turns, booked in `into`. */
  work(options?: Partial<LaneTurnsOptions>, into?: Ledger): LaneTurns;
  /** Opens a waker that has perhaps not reached the store yet. */
  open(partitions?: number): Waker;
  /** Opens a waker that has reached the store. */
  waker(partitions?: number): Promise<Waker>;
  /** Starts a process that takes turns of `turnMs` each; they are booked too. Its clock is `aheadMs` ahead. Resolves when it is ready. */
  workInProcess(turnMs: number, aheadMs?: number): Promise<WorkerProcess>;
  close(): Promise<void>;
}

export function openBench(store: QueueStore): Bench {
  const ledger = openLedger();
  const opened: { close(): Promise<void> }[] = [];

  function open(partitions = 1): Waker {
    const waker = openWaker({ ...store, partitions, onError: () => undefined });
    opened.push(waker);
    return waker;
  }

  return {
    ledger,
    open,
    work(options = {}, into = ledger) {
      const turns = openLaneTurns(turnOptions(store, options, into));
      turns.addAll();
      opened.push(turns);
      return turns;
    },
    async waker(partitions) {
      const waker = open(partitions);
      await untilDone(() => waker.ping());
      return waker;
    },
    async workInProcess(turnMs, aheadMs = 0) {
      const worker = await startProcess(store, [turnMs, aheadMs], ledger);
      opened.push({ close: () => worker.kill() });
      return worker;
    },
    async close() {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}

function turnOptions(store: QueueStore, options: Partial<LaneTurnsOptions>, into: Ledger): LaneTurnsOptions {
  const { turn = async () => undefined, ...others } = options;
  return {
    ...store,
    partitions: 1,
    kind: 'dispatch',
    lane: 'fast',
    slots: 10,
    turn: (context) => into.book(context.id, () => turn(context)),
    nextDue: async () => null,
    onError: () => undefined,
    log: { tell: () => undefined, tells: () => false },
    ...others,
  };
}

async function startProcess(
  store: QueueStore,
  times: readonly number[],
  ledger: Ledger,
): Promise<WorkerProcess> {
  const program = path.join(import.meta.dirname, 'turn-process.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(store), ...times.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ids: string[] = [];
  await once(lines, 'line');
  lines.on('line', (id) => void ledger.book(id, async () => void ids.push(id)));
  return {
    ids,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export function rejects(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => false,
    () => true,
  );
}

/** Tries until it goes through. */
export async function untilDone(attempt: () => Promise<void>): Promise<void> {
  while (await rejects(attempt())) await delay(50);
}
