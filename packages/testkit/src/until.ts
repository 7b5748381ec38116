import { setTimeout } from 'node:timers/promises';

/** Resolves once `isDone` resolves to true. Rejects after `withinMs`, which is for what never comes: no test promises a time by it. */
export async function until(isDone: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not done within ${withinMs} ms: ${isDone.toString()}`);
    await setTimeout(100);
  }
}
