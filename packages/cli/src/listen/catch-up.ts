import type { Entry } from './entry.ts';

/** An event older than this when it is read counts as missed, in ms. Both times are of the database's clock. */
const lateMs = 2_000;
/** After this many ms without an event, catching up is over. */
const quietMs = 3_000;

/** Counts the events that happened while there was no connection. */
export interface CatchUp {
  /** A connection has opened: what comes late from now on was missed. */
  begin(): void;
  /** Every event of the stream. */
  see(entry: Entry): void;
  /** Ends counting. */
  end(): void;
}

/** @param onEnd called once for each beginning, with the number of events */
export function createCatchUp(onEnd: (count: number) => void): CatchUp {
  let count: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    const counted = count;
    count = null;
    if (counted !== null) onEnd(counted);
  }

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(end, quietMs);
  }

  return {
    begin() {
      end();
      count = 0;
      wait();
    },
    see({ headers, event }) {
      if (count === null) return;
      const readMs = Number(headers['webhook-timestamp']) * 1_000;
      if (readMs - Date.parse(event.occurredAt) < lateMs) return end();
      count += 1;
      wait();
    },
    end,
  };
}
