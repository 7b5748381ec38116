import { setTimeout as wait } from 'node:timers/promises';
import type { Wake } from './waker.ts';

/** Sends wakes, together with others of the same time. */
export interface GatheredWakes {
  /** Settles as the call to the queue does that these wakes are part of. */
  add(wakes: readonly Wake[]): Promise<void>;
  /** Resolves when nothing waits to be sent. */
  untilSent(): Promise<void>;
}

/**
 * Calls `send` at most every `apartMs`: what comes after a pause goes at once, what comes too soon goes together at the
 * end of it, and an id that is woken more than once meanwhile only once.
 */
export function gatherWakes(apartMs: number, send: (wakes: readonly Wake[]) => Promise<void>): GatheredWakes {
  const gathered = new Map<string, Wake>();
  let sending: Promise<void> | undefined;
  let sentAt = -Infinity;

  async function sendSoon(): Promise<void> {
    const waitMs = sentAt + apartMs - performance.now();
    await (waitMs > 0 ? wait(waitMs) : undefined);
    sentAt = performance.now();
    sending = undefined;
    const wakes = [...gathered.values()];
    gathered.clear();
    await send(wakes);
  }

  return {
    add(wakes) {
      for (const wake of wakes) gathered.set(`${wake.lane} ${wake.id}`, wake);
      return (sending ??= sendSoon());
    },
    untilSent: async () => sending?.catch(() => undefined),
  };
}
