import { setTimeout as wait } from 'node:timers/promises';
import type { Wake } from '@notify/core';

/** Sends wakes, coalesced with others of the same time. */
export interface CoalescedWakes {
  /** Settles like the queue calls that send these wakes. */
  add(wakes: readonly Wake[]): Promise<void>;
  /** Resolves when no wake is left to send. */
  untilSent(): Promise<void>;
}

/**
 * Sends a wake at once, unless one of the same id was sent less than `apartMs` ago. Then all wakes of that time go
 * together, at most `apartMs` later, even if more wakes of the id come meanwhile.
 */
export function coalesceWakes(
  apartMs: number,
  send: (wakes: readonly Wake[]) => Promise<void>,
): CoalescedWakes {
  /** When the latest wake of each id was sent, oldest first. Entries older than `apartMs` are dropped. */
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
      sentAt.delete(key); // moves it behind all earlier ones
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
