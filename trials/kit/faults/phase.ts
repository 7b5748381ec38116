import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { Fault } from './fault.ts';
import { databaseNow } from '../system/quiet.ts';
import type { System } from '../system/system.ts';
import { type Sent, startTraffic } from '../load/traffic.ts';

/** The messages sent and received around one fault. */
export interface Phase extends Sent {
  readonly fault: string;
  /** Prefix of the keys of its messages. */
  readonly prefix: string;
  /** Start of the load and end of the fault, by the database's clock. */
  readonly beganAt: Date;
  readonly faultEndedAt: Date;
  /** Why the fault did not happen as planned; null when it did. */
  readonly failure: string | null;
}

/** The load of a phase. */
export interface PhaseOptions {
  readonly messagesPerSecond: number;
  /** Messages sent during the fault, at least. */
  readonly messagesPerFault: number;
}

/** How long the load runs before the fault and after it, in ms. */
const beforeMs = 1_500;
const afterMs = 1_500;
const lookMs = 100;

/** Runs the load and causes the fault meanwhile. Resolves when every client has its answer. */
export async function runPhase(
  system: System,
  fault: Fault,
  prefix: string,
  options: PhaseOptions,
  dice: Dice,
): Promise<Phase> {
  const beganAt = await databaseNow(system.db);
  const traffic = startTraffic(system, {
    prefix,
    messagesPerSecond: options.messagesPerSecond,
    messagesAtRate: options.messagesPerFault,
    fallsBack: true,
    dice: dice.fork(),
  });
  try {
    await wait(beforeMs);
    const failure = await fault.run(system, dice.fork()).then(
      () => null,
      (error: unknown) => String(error),
    );
    const faultEndedAt = await databaseNow(system.db);
    await wait(afterMs);
    while (traffic.begun < options.messagesPerFault) await wait(lookMs);
    return { fault: fault.name, prefix, ...(await traffic.stop()), beganAt, faultEndedAt, failure };
  } finally {
    await traffic.stop();
  }
}
