import type { Clock } from '../src/session/clock.ts';

/** A clock that stands still until it is moved. */
export interface HandClock extends Clock {
  /** Moves it, and calls all that is due, the earliest first. */
  move(ms: number): Promise<void>;
}

export function handClock(): HandClock {
  let now = 0;
  const timers = new Map<symbol, { readonly at: number; readonly run: () => void }>();
  const due = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
  return {
    now: () => now,
    after(ms, run) {
      const key = Symbol('timer');
      timers.set(key, { at: now + ms, run });
      return () => timers.delete(key);
    },
    async move(ms) {
      const until = now + ms;
      for (let next = due(until); next !== undefined; next = due(until)) {
        const [key, { at, run }] = next;
        timers.delete(key);
        now = at;
        run();
        await new Promise(setImmediate);
      }
      now = until;
    },
  };
}
