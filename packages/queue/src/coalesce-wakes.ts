import { setTimeout as wait } from 'node:timers/promises';
import type { Wake } from '@notify/core';

/** Sends wakes, together with others of the same time. */
export interface CoalescedWakes {
  /** Settles as the calls to the queue do that these wakes are part of. */
  add(wakes: readonly Wake[]): Promise<void>;
  /** Resolves when nothing waits to be sent. */
  untilSent(): Promise<void>;
}

/**
 * Sends a wake at once, unless one of the same id went less than `apartMs` ago: then it goes with others of that time
 * within so many ms, whatever comes for the id meanwhile.
 */
export function coalesceWakes(
  apartMs: number,
  send: (wakes: readonly Wake[]) => Promise<void>,
): CoalescedWakes {
  /** When the latest wake of each id went, oldest first; what need not be kept apart from any more is left out. */
  const sentAt = new Map<string, number>();
  const later = new Map<string, Wake>();
  let sending: Promise<void> | undefined;

  function isTooSoon(key: string, now: number): boolean {
    return later.has(key) || now - (sentAt.get(key) ?? -Infinity) < apartMs;
  }

  function sendNow(wakes: ReadonlyMap<string, Wake>, now: number): Promise<void> {
    for (const [key, at] of sentAt) {
      if (now - at < apartMs) break;
      sentAt.delete(key);
    }
    for (const key of wakes.keys()) {
      sentAt.delete(key); // so that it stands behind all that went before
      sentAt.set(key, now);
    }
    return send([...wakes.values()]);
  }

  async function sendLater(): Promise<void> {
    await wait(apartMs);
    sending = undefined;
    const wakes = new Map(later);
    later.clear();
    await sendNow(wakes, performance.now());
  }

  return {
    async add(wakes) {
      const now = performance.now();
      const first = new Map<string, Wake>();
      let waits = false;
      for (const wake of wakes) {
        const key = `${wake.lane} ${wake.id}`;
        const soon = isTooSoon(key, now);
        (soon ? later : first).set(key, wake);
        waits ||= soon;
      }
      if (waits) sending ??= sendLater();
      await Promise.all([first.size > 0 ? sendNow(first, now) : undefined, waits ? sending : undefined]);
    },
    untilSent: async () => sending?.catch(() => undefined),
  };
}
