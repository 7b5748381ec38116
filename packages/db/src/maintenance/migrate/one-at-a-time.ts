import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '../../connection/connect.ts';
import { releaseSnapshot } from '../../connection/release-snapshot.ts';
import { describeSessions, type Session } from '../../connection/sessions.ts';

/** The lock of Kysely's migrator, so that a `migrate` of version 0.1.0 does not run beside this one. */
const lock = 3_853_314_791_062_309_107n;
const lookMs = 250;
const aliveMs = 5_000;

/** Another `migrate` ran for all the time there was. */
export class MigratedByOther extends Error {
  override readonly name = 'MigratedByOther';
  readonly behind: Session | null;

  constructor(behind: Session | null) {
    super('another migrate runs');
    this.behind = behind;
  }
}

/**
 * Runs `work` while no other `migrate` of this database runs: waits for the other one until `until`, as
 * `performance.now()` counts, then rejects with `MigratedByOther`. The lock belongs to a transaction that does nothing
 * else. So it ends with this process however that ends, works through a pooler that hands out connections per
 * transaction, and holds back neither vacuum nor `create index concurrently`. Who waits opens a new transaction for each
 * try: an index that the other one makes waits for every transaction that it has once met in a statement to end, and
 * the two would wait for each other. `work` gets a signal that fires if the lock was lost.
 */
export async function oneAtATime<T>(
  db: Db,
  until: number,
  onQueued: (behind: Session | null) => void,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    const tried = await tryOnce(db, work);
    if ('value' in tried) return tried.value;
    if (performance.now() > until) throw new MigratedByOther(tried.behind);
    onQueued(tried.behind);
    await wait(lookMs);
  }
}

type Tried<T> = { readonly value: T } | { readonly behind: Session | null };

function tryOnce<T>(db: Db, work: (lost: AbortSignal) => Promise<T>): Promise<Tried<T>> {
  return db.transaction().execute(async (trx) => {
    await sql`
      select set_config('application_name', ${`notify-migrate ${hostname()} ${process.pid}`}, true),
        set_config('idle_in_transaction_session_timeout', '0', true),
        set_config('transaction_timeout', '0', true)`.execute(trx);
    if (!(await acquires(trx))) return { behind: await holderOf(trx) };
    await releaseSnapshot(trx);
    const lost = new AbortController();
    const done = new AbortController();
    const kept = keepAlive(trx, lost, done.signal);
    try {
      return { value: await work(lost.signal) };
    } finally {
      done.abort();
      await kept;
    }
  });
}

async function acquires(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${String(lock)}::bigint) as held`.execute(trx);
  return rows[0]?.held === true;
}

/** `pg_locks` shows the two halves of the key. */
async function holderOf(trx: Trx): Promise<Session | null> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and classid = ${String(lock >> 32n)}::oid
      and objid = ${String(lock & 0xffff_ffffn)}::oid
      and database = (select oid from pg_database where datname = current_database())`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : ((await describeSessions(trx, [row.pid]))[0] ?? null);
}

/** A firewall forgets connections that say nothing, and this is how a lost one is noticed. */
async function keepAlive(trx: Trx, lost: AbortController, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    await wait(aliveMs, undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    await releaseSnapshot(trx).catch(() => lost.abort());
  }
}
