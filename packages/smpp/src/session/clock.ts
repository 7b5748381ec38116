/** The time that a bind goes by. Tests hand in one that they move. */
export interface Clock {
  /** In ms, from any beginning. */
  now(): number;
  /** Calls once after so many ms, unless the returned function was called before. */
  after(ms: number, run: () => void): () => void;
}

/** The clock of the process. It keeps no process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
