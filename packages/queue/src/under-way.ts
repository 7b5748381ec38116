/** Running work that a close must wait for. */
export interface UnderWay {
  readonly size: number;
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all work has ended, in success or failure. */
  untilEmpty(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    get size() {
      return works.size;
    },
    add(work) {
      const settled = work.finally(() => works.delete(settled));
      works.add(settled);
      return settled;
    },
    async untilEmpty() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}
