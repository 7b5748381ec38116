import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import { type Session, sessionsInTheWay, stillAtWork } from './sessions.ts';

/**
 * How long a change of a table waits in the queue for its lock, in ms. All statements that come later wait behind it,
 * so this is what one try can cost a send.
 */
const lockTimeoutMs = 100;
/** Pauses between tries, in ms. They grow, because each try may cost sends `lockTimeoutMs`. */
const firstPauseMs = 250;
const longestPauseMs = 5_000;
const lookMs = 25;
const lookAgainMs = 200;

/** How long to try, and who hears of it. */
export interface Patience {
  /** The last moment to begin another try, as `performance.now()` counts. */
  readonly until: number;
  /** Hears of each failed try, and now and then while those in the way go on. */
  readonly onWait?: (inTheWay: readonly Session[]) => void;
}

/** For `seconds` from now. */
export function patienceOf(seconds: number, onWait: Patience['onWait'] = () => undefined): Patience {
  return { until: performance.now() + seconds * 1_000, onWait };
}

/** A table stayed locked by others for all the time there was. Nothing was changed. */
export class LockedOut extends Error {
  override readonly name = 'LockedOut';
  readonly inTheWay: readonly Session[];

  constructor(inTheWay: readonly Session[], cause: unknown) {
    super('other sessions hold locks that are needed', { cause });
    this.inTheWay = inTheWay;
  }
}

/**
 * Runs `work` in a transaction that never waits long for a lock, so that it holds up nobody who comes later. If it does
 * not get a lock at once, it is rolled back and tried again when the transactions in the way have ended. Rejects with
 * `LockedOut` when the patience is over, and with any other error at once. Needs a second connection of the pool to see
 * who is in the way.
 */
export async function withBriefLocks<T>(
  db: Db,
  patience: Patience,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  let vacuumed: readonly string[] = [];
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const tried = await tryOnce(db, vacuumed, work);
    if ('value' in tried) return tried.value;
    const { inTheWay } = tried;
    patience.onWait?.(inTheWay);
    // A table whose vacuum did not give way is being vacuumed because it must be.
    const before = vacuumed;
    vacuumed = inTheWay.flatMap(({ vacuums }) => vacuums ?? []).filter((table) => !before.includes(table));
    const staying = inTheWay.filter(({ vacuums }) => vacuums === null || !vacuumed.includes(vacuums));
    await untilTheyEnd(db, staying, patience);
    if (performance.now() > patience.until) throw new LockedOut(inTheWay, tried.error);
    await wait(pauseMs * (0.5 + Math.random() / 2));
  }
}

type Tried<T> = { readonly value: T } | { readonly error: unknown; readonly inTheWay: readonly Session[] };

async function tryOnce<T>(
  db: Db,
  vacuumed: readonly string[],
  work: (trx: Trx) => Promise<T>,
): Promise<Tried<T>> {
  let watch: Watch | null = null;
  try {
    const value = await db.transaction().execute(async (trx) => {
      watch = watchWaits(db, await beginPatiently(trx));
      for (const table of vacuumed) await displaceVacuum(trx, table);
      await setLockTimeout(trx, lockTimeoutMs);
      return work(trx);
    });
    return { value };
  } catch (error) {
    if (!isLockedOut(error)) throw error;
    return { error, inTheWay: (await (watch as Watch | null)?.seen()) ?? [] };
  } finally {
    await (watch as Watch | null)?.stop();
  }
}

/** The role's limits are meant for short statements. Returns the process id of the session. */
async function beginPatiently(trx: Trx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid, set_config('statement_timeout', '0', true),
      set_config('client_connection_check_interval', '1s', true)`.execute(trx);
  return rows[0]!.pid;
}

async function setLockTimeout(trx: Trx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(trx);
}

/**
 * Postgres ends an autovacuum that a session has waited for longer than `deadlock_timeout`, which a brief wait never
 * does. This lock waits long enough, and readers and writers do not wait behind it. It keeps autovacuum away until the
 * end of the transaction.
 */
async function displaceVacuum(trx: Trx, table: string): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from current_setting('deadlock_timeout')::interval)::float8 * 1000 as ms`.execute(
    trx,
  );
  await setLockTimeout(trx, Math.round(rows[0]!.ms) + 2_000);
  await sql`lock table ${sql.raw(table)} in share update exclusive mode`.execute(trx);
}

interface Watch {
  /** The sessions that were in the way when it last looked and there were any. */
  seen(): Promise<readonly Session[]>;
  stop(): Promise<void>;
}

/** Looks again and again, because Postgres does not say afterwards who held the lock. */
function watchWaits(db: Db, pid: number): Watch {
  let seen: readonly Session[] = [];
  const stopped = new AbortController();
  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      const found = await sessionsInTheWay(db, pid).catch(() => []);
      if (found.length > 0) seen = found;
      await wait(lookMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }
  const looking = look();
  const stop = (): Promise<void> => {
    stopped.abort();
    return looking;
  };
  return {
    async seen() {
      await stop();
      return seen;
    },
    stop,
  };
}

/** Waits while the transactions that were in the way go on: another try would only hold up sends. */
async function untilTheyEnd(
  db: Db,
  sessions: readonly Session[],
  { until, onWait }: Patience,
): Promise<void> {
  let left = sessions;
  for (;;) {
    left = await stillAtWork(db, left).catch(() => left);
    if (left.length === 0 || performance.now() > until) return;
    await wait(lookAgainMs);
    onWait?.(left);
  }
}

/** PostgreSQL, appendix A: lock_not_available, deadlock_detected. */
function isLockedOut(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && (error.code === '55P03' || error.code === '40P01')) return true;
  return isLockedOut(error.cause);
}
