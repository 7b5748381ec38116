import { setTimeout as wait } from 'node:timers/promises';

/** Polls every 20 ms until the condition holds. After `limitMs` it throws and names what was awaited. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  limitMs = 300_000,
): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > limit) throw new Error(`${what}: not within ${limitMs / 1_000} s`);
    await wait(20);
  }
}
