/** A transaction that had not ended, and a time before which it cannot have begun, in ms since 1970. */
export type Running = readonly [xid: number, since: number];

/**
 * The transactions whose rows a reader has seen: those below `xmax` that had ended (PostgreSQL, "Transaction ID and
 * Snapshot Information Functions"). No transaction from `xmax` on began before `since`, in ms since 1970. `running` is
 * in the order of the numbers.
 */
export interface Snapshot {
  readonly xmax: number;
  readonly since: number;
  readonly running: readonly Running[];
}

/** What the text of a `pg_snapshot` says: `xmin:xmax:xip,…`. */
export interface PgSnapshot {
  readonly xmax: number;
  readonly running: readonly number[];
}

export function parsePgSnapshot(text: string): PgSnapshot {
  const [, xmax, running = ''] = text.split(':');
  return { xmax: Number(xmax), running: running === '' ? [] : running.split(',').map(Number) };
}

/**
 * The most running transactions that a snapshot names, because a cursor holds them all and travels in a header. Beyond
 * that, the snapshot ends before the next one: a later snapshot has the rows.
 */
export const mostRunning = 200;

/** The same snapshot with at most `mostRunning` transactions, or an earlier one. */
export function bounded({ xmax, since, running }: Snapshot): Snapshot {
  const next = running[mostRunning];
  if (next === undefined) return { xmax, since, running };
  const sinceNext = Math.min(since, ...running.slice(mostRunning).map(([, began]) => began));
  return { xmax: next[0], since: sinceNext, running: running.slice(0, mostRunning) };
}

/** Whether the transaction had ended. */
function isSeen({ xmax, running }: Snapshot, xid: number): boolean {
  return xid < xmax && !running.some(([one]) => one === xid);
}

/**
 * A time in ms: every transaction that ended between two snapshots began at this time or later. Null when none ended.
 */
export function beginOfNews(from: Snapshot, to: Snapshot): number | null {
  const ended = from.running.filter(([xid]) => isSeen(to, xid)).map(([, since]) => since);
  const begins = to.xmax > from.xmax ? [...ended, from.since] : ended;
  return begins.length === 0 ? null : Math.min(...begins);
}
