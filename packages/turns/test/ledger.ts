/** What turns did, and what the test waits for. */
export interface Ledger {
  /** Ids in the order their turns began. */
  readonly begun: readonly string[];
  /** The most turns of one id that ran at once. */
  readonly mostAtOnce: number;
  runs(id: string): number;
  /** Books one turn, from its begin to its end. */
  book(id: string, work: () => Promise<void>): Promise<void>;
  /** Resolves when `condition` holds; looked at whenever a turn begins or ends. */
  until(condition: () => boolean): Promise<void>;
}

export function openLedger(): Ledger {
  const begun: string[] = [];
  const running = new Map<string, number>();
  const waiting = new Set<() => void>();
  let mostAtOnce = 0;

  function add(id: string, change: 1 | -1): void {
    const now = (running.get(id) ?? 0) + change;
    running.set(id, now);
    mostAtOnce = Math.max(mostAtOnce, now);
    for (const look of waiting) look();
  }

  return {
    begun,
    get mostAtOnce() {
      return mostAtOnce;
    },
    runs: (id) => begun.filter((other) => other === id).length,
    async book(id, work) {
      begun.push(id);
      add(id, 1);
      try {
        await work();
      } finally {
        add(id, -1);
      }
    },
    until: (condition) =>
      new Promise((resolve) => {
        function look(): void {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
        look();
      }),
  };
}

/** A gate that is shut until opened. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
