import type { RateCounter } from '../http/rate-store.ts';

/** The state of a key's minute. */
export interface Rate {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
}

export interface KeyRates {
  /**
   * Counts one request of the key, or `count` requests, against its limit per minute. Either all are allowed or none.
   */
  take(keyId: string, limit: number, count?: number): Promise<Rate>;
  /** How long the limit stays used up, in ms, if memory knows that it is. Null if one more may be allowed. Counts nothing. */
  exhaustedMs(keyId: string, limit: number): number | null;
}

/** The count of one key. Its minute begins with its first request. */
interface Window {
  endsAt: number;
  /** Requests of this process, and how many of them the store knows. */
  taken: number;
  told: number;
  /** Requests of all processes at the last write to the store; -1 before the first. */
  total: number;
  telling: Promise<void> | null;
}

const maxKeys = 50_000;
const windowMs = 60_000;

/**
 * Counts requests per key across all processes without a write to the store for each. A process reports its requests in
 * the background, 1 % of the limit at a time, and never leaves 2 % unreported. So with N processes, fewer than (N − 1)
 * × 2 % of the limit get through above it. Requests under a limit below 200 are reported before every answer, so such a
 * limit is exact.
 */
export function createKeyRates(counter: RateCounter, now: () => number = Date.now): KeyRates {
  const windows = new Map<string, Window>();

  async function tell(keyId: string, window: Window): Promise<void> {
    const upTo = window.taken;
    const count = await counter.add(keyId, upTo - window.told);
    window.told = upTo;
    window.total = count.total;
    window.endsAt = now() + count.resetMs;
  }

  function tellOnce(keyId: string, window: Window): Promise<void> {
    window.telling ??= tell(keyId, window).finally(() => {
      window.telling = null;
    });
    return window.telling;
  }

  function windowOf(keyId: string): Window {
    const current = windows.get(keyId);
    if (current !== undefined && current.endsAt > now()) return current;
    const fresh: Window = { endsAt: Infinity, taken: 0, told: 0, total: -1, telling: null };
    windows.delete(keyId);
    if (windows.size >= maxKeys) windows.delete(windows.keys().next().value!);
    windows.set(keyId, fresh);
    return fresh;
  }

  return {
    exhaustedMs(keyId, limit) {
      const window = windows.get(keyId);
      if (window === undefined || window.total < 0) return null;
      const leftMs = window.endsAt - now();
      return leftMs > 0 && positionOf(window.taken, window) >= limit ? leftMs : null;
    },
    async take(keyId, limit, count = 1) {
      if (count > limit) return { allowed: false, remaining: 0, resetMs: windowMs };
      const window = windowOf(keyId);
      const taken = positionOf(window.taken, window);
      if (window.total >= 0 && taken + count > limit)
        return { allowed: false, remaining: Math.max(0, limit - taken), resetMs: window.endsAt - now() };
      const ordinal = (window.taken += count);
      const step = Math.floor(limit / 100);
      const mayBeUntold = step < 2 ? 0 : 2 * step - 1;
      if (ordinal - window.told >= step) void tellOnce(keyId, window);
      while (window.total < 0 || ordinal - window.told > mayBeUntold) await tellOnce(keyId, window);
      const position = positionOf(ordinal, window);
      return {
        allowed: position <= limit,
        remaining: Math.max(0, limit - position),
        resetMs: Math.max(0, window.endsAt - now()),
      };
    },
  };
}

/** The position of a request of this process among all requests of the window. */
function positionOf(ordinal: number, window: Window): number {
  return window.total + ordinal - window.told;
}
