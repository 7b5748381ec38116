import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';
import type { Send } from './client.ts';
import { startLoad } from './load.ts';
import type { Options } from './options.ts';
import { databaseNow } from './quiet.ts';
import type { System } from './system.ts';

/** What was sent while one fault was there. */
export interface Phase {
  readonly fault: string;
  /** Begins the keys of its messages. */
  readonly prefix: string;
  readonly sends: readonly Send[];
  /** When its first message was sent, and when its fault was over, by the database. */
  readonly beganAt: Date;
  readonly faultEndedAt: Date;
  /** Why the fault did not happen as it should have; null when it did. */
  readonly failure: string | null;
}

/** The load runs so long before the fault and after it, in ms. */
const beforeMs = 1_500;
const afterMs = 1_500;
const lookMs = 100;

/** Sends without a break and breaks something meanwhile; resolves when every client has its answer. */
export async function runPhase(
  system: System,
  fault: Fault,
  prefix: string,
  options: Options,
  dice: Dice,
): Promise<Phase> {
  const beganAt = await databaseNow(system.db);
  const load = startLoad({
    tenants: system.tenants,
    apiUrls: system.of('api').map(({ url }) => url),
    messagesPerSecond: options.messagesPerSecond,
    messagesAtRate: options.messagesPerFault,
    prefix,
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
    while (load.begun < options.messagesPerFault) await wait(lookMs);
    return { fault: fault.name, prefix, sends: await load.stop(), beganAt, faultEndedAt, failure };
  } finally {
    await load.stop();
  }
}
