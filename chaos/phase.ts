import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';
import { type Send, startLoad } from './load.ts';
import type { Options } from './options.ts';
import { databaseNow, recoveryMs, untilQuiet, type Waiting } from './quiet.ts';
import type { System } from './system.ts';

/** What was sent while one fault was there, and how it went on after. */
export interface Phase {
  readonly fault: string;
  /** Begins the keys of its messages. */
  readonly prefix: string;
  readonly sends: readonly Send[];
  readonly recoveryMs: number;
  /** What had still not come to its end when we waited no longer. */
  readonly left: Waiting;
}

/** The load runs so long before the fault and after it, in ms. */
const beforeMs = 1_500;
const afterMs = 1_500;
/** The longest that all may take to come to rest after a fault. Failing webhooks are probed after 5, 30 and 120 s. */
const quietWithinMs = 240_000;
const lookMs = 100;

/** Sends without a break, breaks something meanwhile, and waits until all is quiet again. */
export async function runPhase(
  system: System,
  fault: Fault,
  prefix: string,
  options: Options,
  dice: Dice,
): Promise<Phase> {
  const load = startLoad({
    tenants: system.tenants,
    apiUrls: system.of('api').map(({ url }) => url),
    messagesPerSecond: options.messagesPerSecond,
    prefix,
    dice: dice.fork(),
  });
  try {
    await wait(beforeMs);
    await fault.run(system, dice.fork());
    const endedAt = await databaseNow(system.db);
    await wait(afterMs);
    while (load.begun < options.messagesPerFault) await wait(lookMs);
    const sends = await load.stop();
    const left = await untilQuiet(system.db, quietWithinMs);
    return { fault: fault.name, prefix, sends, left, recoveryMs: await recoveryMs(system.db, endedAt) };
  } finally {
    await load.stop();
  }
}
