import path from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * What Node has to be given when it starts, for V8 reads it once: two halves of at most 16 MB for what is new, instead of
 * 64 each. Under load both are filled before anything is collected, however little of it is still in use.
 */
export const memoryFlags = ['--max-semi-space-size=16'] as const;

/**
 * What its environment has to hold. Two arenas of glibc at most, instead of eight for each processor, which keep what the
 * threads that read, write and hash have given back (mallopt(3), M_ARENA_MAX). And a folder for what Node has compiled, so
 * that what takes types away is not even loaded; beside the packages, for who may write there decides what is run anyway.
 */
export const memoryEnvironment = {
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../../node_modules/.cache/node'),
} as const;

/** Has V8 collect what is old whenever that has grown by half since it was last collected; it may else triple before. */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
