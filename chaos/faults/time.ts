import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessName } from '@notify/testkit';
import type { Supervised } from '../supervised.ts';
import type { Fault } from './fault.ts';

const preload = (module: string): string => new URL(`../preload/${module}`, import.meta.url).href;

/** One worker of each kind believes it is ten minutes earlier or later. */
export function clocksOff(forMs: number): Fault {
  const offsetMs = { 'dispatch-worker': 600_000, 'webhook-worker': -600_000 } as const;
  return {
    name: 'clock of one worker of each kind 10 min off',
    group: 'dispatch-worker',
    async run(system) {
      const workers = (['dispatch-worker', 'webhook-worker'] as const).map((name) => {
        const [first] = system.of(name);
        return { worker: first!, module: preload(`clock.ts?offsetMs=${offsetMs[name]}`) };
      });
      await Promise.all(workers.map(({ worker, module }) => liveWith(worker, module)));
      await wait(forMs);
      await Promise.all(workers.map(({ worker }) => renew(worker)));
    },
  };
}

/** The event loop of one stands still, as in a long computation. */
export function loopBlocked(name: ProcessName, forMs: number): Fault {
  return {
    name: `${name} blocked ${forMs / 1_000} s`,
    group: name,
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
    group: name,
    async run(system, dice) {
      const victim = dice.pick(system.of(name));
      victim.signal('SIGSTOP');
      await wait(forMs);
      victim.signal('SIGCONT');
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
