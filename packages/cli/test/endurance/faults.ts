import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultyProxy } from './faulty-proxy.ts';
import type { Hook } from './hook.ts';
import type { Program } from './program.ts';
import type { EnduringService } from './service.ts';

/** How long and how hard a run is. Times in ms. */
export interface Course {
  readonly durationMs: number;
  /** Between two messages. */
  readonly everyMs: number;
  /** Between two faults. */
  readonly calmMs: number;
  /** `--lost-after`. */
  readonly lostAfterMs: number;
  readonly apiFrozenMs: number;
  readonly cliStoppedMs: number;
  readonly hookAwayMs: number;
  readonly networkFrozenMs: number;
  /** The share of requests that the hook answers with 500. */
  readonly failing: number;
}

/** What can break. */
export interface World {
  readonly service: EnduringService;
  readonly proxy: FaultyProxy;
  readonly hook: Hook;
  /** Starts another program after `program` has ended. */
  readonly start: () => Program;
  program: Program;
}

type Fault = (world: World, course: Course) => Promise<void>;

/** Each breaks something and repairs it. */
export const faults: Readonly<Record<string, Fault>> = {
  async 'the connection is cut'({ proxy }) {
    proxy.cut();
  },
  async 'the connection is cut at a random byte, three times'({ proxy }, { calmMs }) {
    for (let count = 0; count < 3; count += 1) {
      proxy.cutNextAfter(randomInt(1, 5_000));
      proxy.cut();
      await wait(calmMs / 2);
    }
  },
  async 'the connection freezes'({ proxy }, { lostAfterMs }) {
    proxy.freeze();
    await wait(lostAfterMs);
  },
  async 'the network freezes'({ proxy }, { networkFrozenMs }) {
    proxy.freeze();
    proxy.freezeNew();
    await wait(networkFrozenMs);
    proxy.thaw();
  },
  async 'the api freezes'({ service }, { apiFrozenMs }) {
    service.freezeApi();
    await wait(apiFrozenMs);
    service.thawApi();
  },
  async 'the api restarts'({ service }) {
    await service.restartApi('stop');
  },
  async 'the api is killed and starts again'({ service }) {
    await service.restartApi('kill');
  },
  async 'the CLI is stopped and continued'({ program }, { cliStoppedMs }) {
    program.process.kill('SIGSTOP');
    await wait(cliStoppedMs);
    program.process.kill('SIGCONT');
  },
  async 'the CLI is killed and starts again'(world) {
    world.program.process.kill('SIGKILL');
    await world.program.ended;
    world.program = world.start();
  },
  async 'the CLI is ended with Ctrl-C and starts again'(world, { calmMs }) {
    world.program.process.kill('SIGINT');
    await world.program.ended;
    await wait(calmMs);
    world.program = world.start();
  },
  async 'the receiver is away'({ hook }, { hookAwayMs }) {
    await hook.leave();
    await wait(hookAwayMs);
    await hook.comeBack();
  },
};
