import { setTimeout as wait } from 'node:timers/promises';
import { type Point, points } from '@notify/runtime';
import type { ProcessName } from '@notify/testkit';
import type { Dice } from '../dice.ts';
import type { Supervised } from '../supervised.ts';
import type { System } from '../system.ts';
import type { Fault } from './fault.ts';

const killAt = new URL('../preload/kill-at.ts', import.meta.url).href;
/** How long it may take until a process gets to a point, in ms. A program that never kills proves nothing. */
const reachedWithinMs = 120_000;
const latestPass = 12;
/** A sweeper finds something only where wakes are lost, so that is seen to. */
const loseWakesFor: Point = 'sweep-found';
const betweenOutagesMs = 3_000;

/** Both of a kind, each life of theirs ended by SIGKILL at the next of the labelled points they pass. */
export function killsAtPoints(name: ProcessName): Fault {
  return {
    name: `${name} killed at its points`,
    groups: [name],
    async run(system, dice) {
      const all = pointsOf(name);
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

/** One of the processes that pass a point killed there, by chance which. */
export function killsAt(point: Point): Fault {
  const [name] = points[point].in;
  return {
    name: `killed at ${point}`,
    groups: point === loseWakesFor ? [name, 'redis'] : [name],
    run: (system, dice) => dieAt(system, dice.pick(system.of(name)), [point], dice),
  };
}

function pointsOf(name: ProcessName): Point[] {
  const all = Object.entries(points) as [Point, { readonly in: readonly ProcessName[] }][];
  return all.filter(([, { in: passedBy }]) => passedBy.includes(name)).map(([point]) => point);
}

/** A point is passed a few times before, so that it is met in the middle of the work. */
async function dieAt(system: System, victim: Supervised, at: readonly Point[], dice: Dice): Promise<void> {
  const deaths = at.map((point) => ({ point, ended: victim.thenWith([urlOf(point, dice)]) }));
  await victim.end('SIGTERM');
  try {
    for (const { point, ended } of deaths)
      await (point === loseWakesFor
        ? withLostWakes(system, demandKilled(point, ended))
        : demandKilled(point, ended));
  } catch (error) {
    victim.forgetPlans();
    await victim.end('SIGKILL');
    throw error;
  } finally {
    await victim.ready();
  }
}

function urlOf(point: Point, dice: Dice): string {
  const nth = point === loseWakesFor ? 1 : dice.between(1, latestPass);
  return `${killAt}?point=${point}&nth=${nth}`;
}

/** Loses wakes again and again until `reached` has ended. */
async function withLostWakes(system: System, reached: Promise<void>): Promise<void> {
  let isOver = false;
  const over = reached.finally(() => (isOver = true));
  over.catch(() => undefined);
  while (!isOver) {
    await system.loseWakes();
    await Promise.race([over, wait(betweenOutagesMs)]);
  }
  await over;
}

async function demandKilled(point: Point, ended: Promise<NodeJS.Signals | null>): Promise<void> {
  const tooLong = new AbortController();
  const signal = await Promise.race([ended, wait(reachedWithinMs, 'late', { signal: tooLong.signal })]);
  tooLong.abort();
  if (signal !== 'SIGKILL') throw new Error(`${point} was not reached: ${signal ?? 'it ended by itself'}`);
}
