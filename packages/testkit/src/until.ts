import { setTimeout } from 'node:timers/promises';

/** Resolves once `isDone` resolves to true. Rejects after `withinMs`. */
export async function until(isDone: () => Promise<boolean>, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not done within ${withinMs} ms: ${isDone.toString()}`);
    await setTimeout(100);
  }
}
