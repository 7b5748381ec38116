/** The deadlines of running calls. All of them can be brought forward to now. */
export interface Deadlines {
  /**
   * Starts a deadline. Its signal fires after `afterMs`, or as soon as `endAll` is called. Without `afterMs` it fires
   * only then, which suits a call that keeps its own time. Dispose of it when the call has ended.
   */
  begin(afterMs?: number): Deadline;
  /** Ends every deadline now, and later ones as they start: there is no more time for calls. */
  endAll(): void;
  /** Whether `endAll` was called. */
  readonly allOver: boolean;
}

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** Does not use `AbortSignal.any`, which keeps an entry for every call on a long-lived signal. */
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
