/** The deadlines of the calls under way. All of them can be brought forward to now. */
export interface Deadlines {
  /**
   * Starts one: its signal fires after `afterMs`, or as soon as all have passed. Without `afterMs` it fires only then, which
   * suits a call that keeps its own time. Dispose of it when the call has ended.
   */
  begin(afterMs?: number): Deadline;
  /** Makes every deadline pass, also those that start later: there is no more time for calls. */
  endAll(): void;
  /** Whether all have passed. */
  readonly allOver: boolean;
}

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** `AbortSignal.any` over a signal that lives long would keep what it made for every call. */
export function createDeadlines(): Deadlines {
  const underWay = new Set<AbortController>();
  let allOver = false;
  return {
    begin(afterMs) {
      const controller = new AbortController();
      const timer = afterMs === undefined ? undefined : setTimeout(() => controller.abort(), afterMs);
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
