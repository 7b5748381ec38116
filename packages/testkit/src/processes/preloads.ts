import type { Checkpoint } from '@notify/runtime';

/** What a module of `../preload` does to the process that loads it, and its parameters. */
export interface Preload {
  readonly does: 'kill-at' | 'block' | 'clock';
  readonly checkpoint?: Checkpoint;
  readonly nth?: number;
  /** How long the process is blocked, in ms. */
  readonly ms?: number;
  /** How far its clock is off, in ms. */
  readonly offsetMs?: number;
}

/** What the process is to load with `--import`. */
export function preloadOf({ does, ...parameters }: Preload): string {
  const url = new URL(`../preload/${does}.ts`, import.meta.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url.href;
}
