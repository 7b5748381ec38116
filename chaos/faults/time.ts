import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessName } from '@notify/testkit';
import type { Supervised } from '../supervised.ts';
import type { Fault } from './fault.ts';

const preload = (module: string): string => new URL(`../preload/${module}`, import.meta.url).href;

/** One believes that it is so much later, or earlier where that is negative. */
export function clockOff(name: ProcessName, offsetMs: number, forMs: number): Fault {
  return {
    name: `${name} with its clock ${offsetMs / 60_000} min off`,
    groups: [name],
    async run(system) {
      const [victim] = system.of(name);
      await liveWith(victim!, preload(`clock.ts?offsetMs=${offsetMs}`));
      await wait(forMs);
      await renew(victim!);
    },
  };
}

/** The event loop of one stands still, as in a long computation. */
export function loopBlocked(name: ProcessName, forMs: number): Fault {
  return {
    name: `${name} blocked ${forMs / 1_000} s`,
    groups: [name],
    async run(system) {
      const [victim] = system.of(name);
      await liveWith(victim!, preload(`block.ts?ms=${forMs}`));
      await wait(1_000);
      victim!.signal('SIGUSR2');
      await wait(forMs);
      await renew(victim!);
    },
  };
}

/** One is stopped, as by a debugger or a suspended machine, and goes on where it was: longer than its leases. */
export function suspended(name: ProcessName, forMs: number): Fault {
  return {
    name: `${name} suspended ${forMs / 1_000} s`,
    groups: [name],
    async run(system, dice) {
      const victim = dice.pick(system.of(name));
      victim.signal('SIGSTOP');
      await wait(forMs);
      victim.signal('SIGCONT');
    },
  };
}

/** One of each kind at once, as when one of two machines stands still. */
export function oneOfEachSuspended(forMs: number): Fault {
  return {
    name: `one of each suspended ${forMs / 1_000} s`,
    groups: ['api', 'dispatch-worker', 'webhook-worker'],
    async run(system) {
      const victims = (['api', 'dispatch-worker', 'webhook-worker'] as const).map(
        (name) => system.of(name)[0]!,
      );
      for (const victim of victims) victim.signal('SIGSTOP');
      await wait(forMs);
      for (const victim of victims) victim.signal('SIGCONT');
    },
  };
}

async function liveWith(worker: Supervised, module: string): Promise<void> {
  void worker.thenWith([module]);
  await renew(worker);
}

async function renew(worker: Supervised): Promise<void> {
  await worker.end('SIGTERM');
  await worker.ready();
}
