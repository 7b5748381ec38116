import { setTimeout as wait } from 'node:timers/promises';
import { preloadOf, type ProcessName } from '@notify/testkit';
import type { Supervised } from '../../kit/system/supervised.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/** The clock of one process is off by `offsetMs`. */
export function clockOff(name: ProcessName, offsetMs: number, forMs: number): Fault {
  return {
    name: `${name} with its clock ${offsetMs / 60_000} min off`,
    groups: [name],
    async run(system) {
      const [victim] = system.of(name);
      await restartWith(victim!, preloadOf({ does: 'clock', offsetMs }));
      await wait(forMs);
      await restart(victim!);
    },
  };
}

/** The event loop of one process blocks, as in a long computation. */
export function loopBlocked(name: ProcessName, forMs: number): Fault {
  return {
    name: `${name} blocked ${forMs / 1_000} s`,
    groups: [name],
    async run(system) {
      const [victim] = system.of(name);
      await restartWith(victim!, preloadOf({ does: 'block', ms: forMs }));
      await wait(1_000);
      victim!.signal('SIGUSR2');
      await wait(forMs);
      await restart(victim!);
    },
  };
}

/** One process is suspended, as by a debugger or a suspended machine, for longer than its leases, and then resumes. */
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

/** One process of each kind is suspended at once, as when one of two machines hangs. */
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

async function restartWith(worker: Supervised, module: string): Promise<void> {
  void worker.thenWith([module]);
  await restart(worker);
}

async function restart(worker: Supervised): Promise<void> {
  await worker.end('SIGTERM');
  await worker.ready();
}
