import { setTimeout as wait } from 'node:timers/promises';
import { openQueueLosses, type QueueLosses, type QueuePart } from '@notify/testkit';
import type { Dice } from '../../kit/dice.ts';
import type { System } from '../../kit/system/system.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/** Turns are taken again within this time, in ms, whatever the queue has lost. */
const backWithinMs = 15_000;

/** The queue of a part, such as `dispatch-0`. */
const queueOf = ({ name }: QueuePart): string => /[a-z-]+-\d+/.exec(name.replace('{notify-', ''))?.[0] ?? '';

/** A name without its queue and ids. So all lists `wait` are of one kind, all locks, and all hashes of jobs. */
const kindOf = ({ name }: QueuePart): string =>
  name
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/^\{.*\}:[^:]+/, '')
    .replace(/ [a-z-]+-\d+ /, ' ');

/** Deletes a random subset of what the queue holds, in Redis or in Postgres, again and again. */
export function queueLoses(forMs: number): Fault {
  return {
    name: `the queue loses parts ${forMs / 1_000} s`,
    groups: ['redis', 'postgres'],
    backWithinMs,
    run: (system, dice) =>
      repeated(system, forMs, async (losses) => {
        await losses.lose(someOf(await losses.parts(), dice));
        await wait(dice.between(0, 700));
      }),
  };
}

/** Restores a random subset of what the queue held some seconds ago, part by part, again and again. */
export function queueRestored(forMs: number): Fault {
  return {
    name: `the queue gets older parts back ${forMs / 1_000} s`,
    groups: ['redis', 'postgres'],
    backWithinMs,
    async run(system, dice) {
      let older: QueuePart[] = [];
      await repeated(system, forMs, async (losses) => {
        const now = await losses.parts();
        await losses.restore(someOf(older, dice));
        if (dice.chance(0.5)) older = now;
        await wait(dice.between(100, 1_500));
      });
    },
  };
}

async function repeated(
  { queue }: System,
  forMs: number,
  act: (losses: QueueLosses) => Promise<void>,
): Promise<void> {
  const losses = openQueueLosses(queue);
  try {
    for (const until = performance.now() + forMs; performance.now() < until;)
      await act(losses).catch((error: unknown) => {
        if (!isDeadlock(error)) throw error;
      });
  } finally {
    await losses.close();
  }
}

/** Postgres may end us when we delete rows that the service locks in another order. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

/** A share of all parts, of those of one queue, or all parts of some kinds, such as all lists. */
function someOf(parts: readonly QueuePart[], dice: Dice): QueuePart[] {
  if (parts.length === 0) return [];
  const share = dice.pick([0.05, 0.3, 0.7]);
  switch (dice.pick(['any', 'one queue', 'kinds'] as const)) {
    case 'any':
      return parts.filter(() => dice.chance(share));
    case 'one queue': {
      const queue = queueOf(dice.pick(parts));
      return parts.filter((part) => queueOf(part) === queue && dice.chance(share));
    }
    case 'kinds': {
      const kinds = new Set([...new Set(parts.map(kindOf))].filter(() => dice.chance(share)));
      return parts.filter((part) => kinds.has(kindOf(part)));
    }
  }
}
