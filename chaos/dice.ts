/** Chance that a seed repeats. */
export interface Dice {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True `share` of the times. */
  chance(share: number): boolean;
  /** Dice of its own for something that runs beside others, so that neither changes what the other throws. */
  fork(): Dice;
}

/** The numbers of mulberry32 (Tommy Ettinger, public domain): the same ones for the same seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    fork: () => dice(next() * 2 ** 32),
    pick(choices) {
      const chosen = choices[Math.floor(next() * choices.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}
