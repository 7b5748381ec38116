import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Node needs these flags at its start, because V8 reads them once. They limit each half of the space for new objects to
 * 16 MB instead of 64. Under load V8 fills both halves before it collects anything, however little is still in use.
 */
export const memoryFlags = ['--max-semi-space-size=16'] as const;

/**
 * The environment that a process needs. At most two arenas of glibc, instead of eight per processor: an arena keeps the
 * memory that threads for reading, writing and hashing have freed (mallopt(3), M_ARENA_MAX). And a folder for compiled
 * code, so that the type stripper is not even loaded. It is beside the packages, because write access there already
 * permits changing the code that runs.
 */
export const memoryEnvironment = {
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../../../node_modules/.cache/node'),
} as const;

/**
 * Makes V8 collect old objects after they have grown by half since the last collection. By default they may triple. And new
 * objects are never placed among the old ones: when V8 has guessed that those of one line of code live long, each holds its
 * whole request until the next full collection, and an api takes 20 % to 30 % more CPU for as long as it runs
 * (trials/bench/HISTORY.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Gives back, once, what only the start needed. V8 would keep it until the old objects have grown by half, and a process
 * with little to do does not get there. `afterMs` leaves time for what the first work loads. Takes about 0.1 s of CPU.
 */
export function collectAfterStart(afterMs = 5_000): void {
  setFlagsFromString('--expose-gc');
  // Node exposes the collector to contexts created after this flag was set.
  const collect = runInNewContext('gc') as () => void;
  setTimeout(collect, afterMs).unref();
}
