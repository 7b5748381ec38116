/** The deadlines of calls that a process has under way, all of which can be brought forward to now. */
export interface Deadlines {
  /** Begins one: its signal fires after so many ms, or as soon as all are over. Dispose of it when the call has ended. */
  begin(afterMs: number): Deadline;
  /** Lets every deadline be over, those to come too: the process ends. */
  endAll(): void;
  /** Whether all are over. */
  readonly allOver: boolean;
}

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** Deadlines of one process. `AbortSignal.any` over a signal that lives long would keep what it made for every call. */
export function createDeadlines(): Deadlines {
  const underWay = new Set<AbortController>();
  let allOver = false;
  return {
    begin(afterMs) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), afterMs);
      underWay.add(controller);
      if (allOver) controller.abort();
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          clearTimeout(timer);
          underWay.delete(controller);
        },
      };
    },
    endAll() {
      allOver = true;
      for (const controller of underWay) controller.abort();
    },
    get allOver() {
      return allOver;
    },
  };
}
