import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';
import { type Arrival, startArrivals } from './arrivals.ts';
import { callbacks, updates } from './arrival-ways.ts';
import type { Send } from './client.ts';
import { startLoad } from './load.ts';
import type { Options } from './options.ts';
import { databaseNow } from './quiet.ts';
import type { System } from './system.ts';

/** The messages sent and received around one fault. */
export interface Phase {
  readonly fault: string;
  /** Prefix of the keys of its messages. */
  readonly prefix: string;
  readonly sends: readonly Send[];
  /** The messages that persons wrote meanwhile. */
  readonly arrivals: readonly Arrival[];
  /** Start of the load and end of the fault, by the database's clock. */
  readonly beganAt: Date;
  readonly faultEndedAt: Date;
  /** Why the fault did not happen as planned; null when it did. */
  readonly failure: string | null;
}

/** Messages that persons write for each one that is sent. */
const arrivalsPerMessage = 0.3;
/** How long the load runs before the fault and after it, in ms. */
const beforeMs = 1_500;
const afterMs = 1_500;
const lookMs = 100;

/** Runs the load and causes the fault meanwhile. Resolves when every client has its answer. */
export async function runPhase(
  system: System,
  fault: Fault,
  prefix: string,
  options: Options,
  dice: Dice,
): Promise<Phase> {
  const beganAt = await databaseNow(system.db);
  const apiUrls = system.of('api').map(({ url }) => url);
  const load = startLoad({
    tenants: system.tenants,
    apiUrls,
    prefix,
    messagesPerSecond: options.messagesPerSecond,
    messagesAtRate: options.messagesPerFault,
    dice: dice.fork(),
  });
  const arriving = startArrivals({
    ways: [...system.tenants.flatMap((tenant) => callbacks(tenant, apiUrls)), updates(system.telegram)],
    prefix,
    perSecond: arrivalsPerMessage * options.messagesPerSecond,
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
    const arrivals = await arriving.stop();
    return { fault: fault.name, prefix, sends: await load.stop(), arrivals, beganAt, faultEndedAt, failure };
  } finally {
    await Promise.all([load.stop(), arriving.stop()]);
  }
}
