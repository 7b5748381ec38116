import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../kit/faults/fault.ts';

const mostAtOnce = 3;
const longestPauseMs = 1_500;

/**
 * Faults of the list, chosen at random and begun at random times, up to three of different groups at once. The same
 * dice choose the same faults in the same order; their timing depends on the machine.
 */
export function mixed(forMs: number, faults: readonly Fault[]): Fault {
  return {
    name: `all mixed ${forMs / 1_000} s`,
    groups: ['all'],
    async run(system, dice) {
      const running = new Map<string, Promise<void>>();
      const failures: unknown[] = [];
      const until = performance.now() + forMs;
      while (performance.now() < until && failures.length === 0) {
        const chosen = dice.pick(faults);
        await Promise.all(chosen.groups.flatMap((group) => running.get(group) ?? []));
        if (new Set(running.values()).size >= mostAtOnce) await Promise.race(running.values());
        const done = chosen
          .run(system, dice.fork())
          .catch((error: unknown) => void failures.push(error))
          .finally(() => chosen.groups.forEach((group) => running.delete(group)));
        for (const group of chosen.groups) running.set(group, done);
        await wait(dice.between(0, longestPauseMs));
      }
      await Promise.all(running.values());
      if (failures.length > 0) throw failures[0];
    },
  };
}
