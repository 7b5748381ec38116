import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessName } from '@notify/testkit';
import type { Fault } from '../../kit/faults/fault.ts';

/** SIGKILL of one of the two processes, chosen at random, at random times. */
export function kills(name: ProcessName, times: number): Fault {
  return {
    name: `${name} killed`,
    groups: [name],
    async run(system, dice) {
      for (let left = times; left > 0; left -= 1) {
        const chosen = dice.pick(system.of(name));
        await chosen.end('SIGKILL');
        await chosen.ready();
        await wait(dice.between(0, 1_500));
      }
    },
  };
}

/** SIGTERM of both processes, one after the other, as in an upgrade. */
export function rollingRestart(name: ProcessName): Fault {
  return {
    name: `${name} restarted in turn`,
    groups: [name],
    async run(system) {
      for (const each of system.of(name)) {
        await each.end('SIGTERM');
        await each.ready();
      }
    },
  };
}

/** SIGKILL of all processes, Postgres and Redis at once, as in a power failure; then all start again. */
export function allKilled(forMs: number): Fault {
  return {
    name: 'all killed at once',
    groups: ['all'],
    async run({ processes, postgres, redis }) {
      await Promise.all([
        ...processes.map((each) => each.end('SIGKILL')),
        postgres.stop('killed'),
        redis.stop('SIGKILL'),
      ]);
      await wait(forMs);
      await Promise.all([postgres.start(), redis.start()]);
      await Promise.all(processes.map((each) => each.ready()));
    },
  };
}
