/** How much may be in progress at once, found from how long it takes. */
export interface AdaptiveLimit {
  /** The limit now, a whole number. */
  readonly value: number;
  /** Something had to wait for the limit, so more of it would be used. */
  wanted(): void;
  /** Something in progress has ended after this many ms. */
  ended(tookMs: number): void;
}

export interface LimitOptions {
  readonly least: number;
  readonly most: number;
  readonly first: number;
  /** Work that takes longer, in ms, is a sign of too much at once. */
  readonly goalMs: number;
  /** A clock in ms that never goes back. */
  readonly now?: () => number;
}

/** The limit changes at most this often, in ms. */
const windowMs = 100;
/** The share of slow work in a window from which the limit falls. */
const slowShare = 0.1;
/** Factors of one change: it falls faster than it grows. */
const [fall, growth] = [0.8, 1.1];
/** Where work takes long by itself, such as commits that wait for a distant standby, the goal is so many times that. */
const timesUsual = 3;
/** The goal never grows above this many times the one that was asked for. */
const mostGoals = 6;
/** How fast the usual time follows what is measured. */
const usualWeight = 0.05;

/**
 * Additive increase and multiplicative decrease are TCP's answer to the same question (RFC 5681); here both are factors,
 * so that the limit is found within seconds at any size. It falls while much of the work is slow, and grows only while it is
 * asked for. The usual time is measured in windows in which nothing waited: measured under load it would grow with the
 * load, and the limit with it.
 */
export function createAdaptiveLimit(options: LimitOptions): AdaptiveLimit {
  const { least, most, first, goalMs, now = () => performance.now() } = options;
  let limit = first;
  let usualMs = 0;
  let endsAt = now() + windowMs;
  let count = 0;
  let slow = 0;
  let sumMs = 0;
  let isWanted = false;

  function change(): void {
    if (slow > slowShare * count) limit = Math.max(least, limit * fall);
    else if (isWanted) limit = Math.min(most, limit * growth);
    if (!isWanted) usualMs += usualWeight * (sumMs / count - usualMs);
  }

  return {
    get value() {
      return Math.floor(limit);
    },
    wanted() {
      isWanted = true;
    },
    ended(tookMs) {
      count += 1;
      sumMs += tookMs;
      if (tookMs > Math.min(mostGoals * goalMs, Math.max(goalMs, timesUsual * usualMs))) slow += 1;
      if (now() < endsAt) return;
      change();
      endsAt = now() + windowMs;
      [count, slow, sumMs, isWanted] = [0, 0, 0, false];
    },
  };
}
