import { setTimeout as wait } from 'node:timers/promises';
import { makeSourceDue } from '@notify/db/updates';
import { type Checkpoint, checkpoints as table } from '@notify/runtime';
import { preloadOf, type ProcessName } from '@notify/testkit';
import type { Dice } from '../../kit/dice.ts';
import type { Supervised } from '../../kit/system/supervised.ts';
import type { System } from '../../kit/system/system.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/** The name of every checkpoint; each has the diagnostics channel `notify.<name>`. */
export const checkpoints = Object.keys(table) as Checkpoint[];

/** Time limit for a process to reach a checkpoint, in ms. A run that kills nothing proves nothing. */
const reachedWithinMs = 120_000;
const latestPass = 12;
/** The sweeper finds work only where wakes are lost, so this program loses them. */
const loseWakesFor: Checkpoint = 'sweep-found';
const betweenOutagesMs = 3_000;
/**
 * One worker at a time reads what people wrote to the bot, so this program has the victim read it. A reader that takes
 * over waits 5 s where the question of the one before is still open.
 */
const moveReadingFor: Checkpoint = 'inbound-stored';
const betweenMovesMs = 15_000;
/** Long enough for the victim to claim the bot. Processes look for one every 2 s. */
const moveMs = 5_000;

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
      await provoke(system, victim, checkpoint, demandKilled(checkpoint, ended));
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
  return preloadOf({ does: 'kill-at', checkpoint, nth });
}

/** Brings the process to checkpoints that it does not pass by itself, until `reached` settles. */
function provoke(
  system: System,
  victim: Supervised,
  checkpoint: Checkpoint,
  reached: Promise<void>,
): Promise<void> {
  if (checkpoint === loseWakesFor) return repeatUntil(reached, betweenOutagesMs, () => system.loseWakes());
  if (checkpoint === moveReadingFor && victim.name === 'dispatch-worker')
    return repeatUntil(reached, betweenMovesMs, () => moveReadingTo(victim, system));
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
    // Another fault may be on its way meanwhile; the next try counts.
    await act().catch(() => undefined);
    await Promise.race([over, wait(everyMs)]);
  }
  await over;
}

/** Ends the claims of all bots while the other processes are frozen, so that only the victim can claim them. */
async function moveReadingTo(victim: Supervised, system: System): Promise<void> {
  await victim.ready();
  const others = system.of(victim.name).filter((each) => each !== victim);
  for (const each of others) each.signal('SIGSTOP');
  try {
    const sources = await system.db.selectFrom('update_sources').select('account_id').execute();
    for (const { account_id: id } of sources) await makeSourceDue(system.db, id);
    await wait(moveMs);
  } finally {
    for (const each of others) each.signal('SIGCONT');
  }
}

async function demandKilled(checkpoint: Checkpoint, ended: Promise<NodeJS.Signals | null>): Promise<void> {
  const tooLong = new AbortController();
  const signal = await Promise.race([ended, wait(reachedWithinMs, 'late', { signal: tooLong.signal })]);
  tooLong.abort();
  if (signal !== 'SIGKILL')
    throw new Error(`${checkpoint} was not reached: ${signal ?? 'it ended by itself'}`);
}
