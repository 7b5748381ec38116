import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Looks again and again until `done` holds for what is seen, and returns that. After `withinMs` it throws with what was seen last. */
export async function until<T>(
  look: () => T | Promise<T>,
  done: (seen: T) => boolean,
  withinMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (done(seen)) return seen;
    if (Date.now() > deadline)
      throw new Error(`still not so after ${withinMs} ms: ${inspect(seen, { depth: 6 })}`);
    await delay(100);
  }
}
