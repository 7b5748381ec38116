import { type Db, joinReceipts, type Wake } from '@notify/db';
import { type Log, reached } from '@notify/runtime';

export interface ReceiptJoiner {
  /** Joins what is due so many ms from now; calls for about the same time are one. */
  readonly joinIn: (afterMs: number) => void;
  readonly close: () => void;
}

const stepMs = 20;
const joinedAtOnce = 500;

/** Joins reports that were foreseen when a message was accepted. One that is missed is joined by the sweeper. */
export function createReceiptJoiner(
  db: Db,
  wakeWebhooks: (webhooks: readonly Wake[]) => void,
  log: Log,
): ReceiptJoiner {
  const timers = new Map<number, NodeJS.Timeout>();

  function join(): void {
    joinAllDue(db, wakeWebhooks).catch((error: unknown) =>
      log.warn({ err: error }, 'receipts left to the sweeper'),
    );
  }

  return {
    joinIn(afterMs) {
      const step = Math.ceil((performance.now() + afterMs) / stepMs) + 1;
      if (timers.has(step)) return;
      const fire = (): void => {
        timers.delete(step);
        join();
      };
      timers.set(step, setTimeout(fire, step * stepMs - performance.now()));
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Joins every stored report whose time has come. */
export async function joinAllDue(db: Db, wakeWebhooks: (webhooks: readonly Wake[]) => void): Promise<void> {
  for (;;) {
    const { seen, webhooks } = await joinReceipts(db, { kind: 'due', limit: joinedAtOnce });
    if (seen > 0) reached('receipts-joined');
    wakeWebhooks(webhooks);
    if (seen < joinedAtOnce) return;
  }
}
