import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { makeSourceDue } from '@notify/db/updates';
import { type Checkpoint, checkpoints as table } from '@notify/runtime';
import type { ProcessName } from '@notify/testkit';
import type { Dice } from '../dice.ts';
import type { Supervised } from '../supervised.ts';
import type { System } from '../system.ts';
import type { Fault } from './fault.ts';

/** The name of every checkpoint; each has the diagnostics channel `notify.<name>`. */
export const checkpoints = Object.keys(table) as Checkpoint[];

const killAt = new URL('../preload/kill-at.ts', import.meta.url).href;
/** Time limit for a process to reach a checkpoint, in ms. A run that kills nothing proves nothing. */
const reachedWithinMs = 120_000;
const latestPass = 12;
/** The sweeper finds work only where wakes are lost, so this program loses them. */
const loseWakesFor: Checkpoint = 'sweep-found';
const betweenOutagesMs = 3_000;
/** One worker at a time reads what people wrote to the bot, so this program takes it away from the one that does. */
const moveLeasesFor: Checkpoint = 'inbound-stored';
const betweenMovesMs = 5_000;

/** Both processes: SIGKILL at one of their checkpoints after the other, one per life. */
export function killsAtCheckpoints(name: ProcessName): Fault {
  return {
    name: `${name} killed at its points`,
    groups: [name],
    async run(system, dice) {
      const all = checkpointsOf(name);
      await Promise.all(
        system.of(name).map((each, index) =>
          dieAt(
            system,
            each,
            all.filter((_, at) => at % 2 === index),
            dice.fork(),
          ),
        ),
      );
    },
  };
}

/** SIGKILL at this checkpoint, in one of the processes that pass it, chosen at random. */
export function killsAt(checkpoint: Checkpoint): Fault {
  const [name] = table[checkpoint].in;
  return {
    name: `killed at ${checkpoint}`,
    groups: checkpoint === loseWakesFor ? [name, 'redis'] : [name],
    run: (system, dice) => dieAt(system, dice.pick(system.of(name)), [checkpoint], dice),
  };
}

function checkpointsOf(name: ProcessName): Checkpoint[] {
  return checkpoints.filter((checkpoint) => (table[checkpoint].in as readonly ProcessName[]).includes(name));
}

/** Each kill waits for a random pass of its checkpoint, so that it comes in the middle of the work. */
async function dieAt(
  system: System,
  victim: Supervised,
  at: readonly Checkpoint[],
  dice: Dice,
): Promise<void> {
  const deaths = at.map((checkpoint) => ({
    checkpoint,
    ended: victim.thenWith([urlOf(checkpoint, dice)]),
  }));
  await victim.end('SIGTERM');
  try {
    for (const { checkpoint, ended } of deaths)
      await provoke(system, checkpoint, demandKilled(checkpoint, ended));
  } catch (error) {
    victim.forgetPlans();
    await victim.end('SIGKILL');
    throw error;
  } finally {
    await victim.ready();
  }
}

function urlOf(checkpoint: Checkpoint, dice: Dice): string {
  const nth = checkpoint === loseWakesFor ? 1 : dice.between(1, latestPass);
  return `${killAt}?checkpoint=${checkpoint}&nth=${nth}`;
}

/** Brings the process to checkpoints that it does not pass by itself, until `reached` settles. */
function provoke(system: System, checkpoint: Checkpoint, reached: Promise<void>): Promise<void> {
  if (checkpoint === loseWakesFor) return repeatUntil(reached, betweenOutagesMs, () => system.loseWakes());
  if (checkpoint === moveLeasesFor) return repeatUntil(reached, betweenMovesMs, () => moveLeases(system.db));
  return reached;
}

async function repeatUntil(
  reached: Promise<void>,
  everyMs: number,
  act: () => Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const over = reached.finally(() => (isOver = true));
  over.catch(() => undefined);
  while (!isOver) {
    await act();
    await Promise.race([over, wait(everyMs)]);
  }
  await over;
}

/** Ends the claims of all bots. Any worker may be the next to read. */
async function moveLeases(db: Db): Promise<void> {
  const sources = await db.selectFrom('update_sources').select('account_id').execute();
  for (const { account_id: id } of sources) await makeSourceDue(db, id);
}

async function demandKilled(checkpoint: Checkpoint, ended: Promise<NodeJS.Signals | null>): Promise<void> {
  const tooLong = new AbortController();
  const signal = await Promise.race([ended, wait(reachedWithinMs, 'late', { signal: tooLong.signal })]);
  tooLong.abort();
  if (signal !== 'SIGKILL')
    throw new Error(`${checkpoint} was not reached: ${signal ?? 'it ended by itself'}`);
}
