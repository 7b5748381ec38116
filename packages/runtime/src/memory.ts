import { setFlagsFromString } from 'node:v8';

/**
 * What Node has to be given when it starts, for V8 reads it once: two halves of at most 16 MB for what is new, instead of
 * 64 each. Under load both are filled before anything is collected, however little of it is still in use.
 */
export const memoryFlags = ['--max-semi-space-size=16'] as const;

/**
 * What its environment has to hold: two arenas of glibc at most, instead of eight for each processor, which keep what the
 * threads that read, write and hash have given back (mallopt(3), M_ARENA_MAX).
 */
export const memoryEnvironment = { MALLOC_ARENA_MAX: '2' } as const;

/** Has V8 collect what is old whenever that has grown by half since it was last collected; it may else triple before. */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
