/** Runs something often, but not too often. */
export interface Pacer {
  /** Runs now, or as soon as enough time has passed since the last run. */
  ask(): void;
  /** Forgets a run that is still to come. */
  stop(): void;
}

/** Makes a pacer: at least `apartMs` lie between two runs. */
export function createPacer(run: () => void, apartMs: number): Pacer {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const begin = (): void => {
    timer = null;
    last = Date.now();
    run();
  };
  return {
    ask() {
      if (timer !== null) return;
      const waitMs = last + apartMs - Date.now();
      if (waitMs <= 0) begin();
      else timer = setTimeout(begin, waitMs);
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
