import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { transact } from '../connection/transact.ts';
import { bounded, parsePgSnapshot, type PgSnapshot, type Snapshot } from './snapshot.ts';

/** The present state of the database, as a reader of events needs it. */
export interface Look {
  readonly snapshot: Snapshot;
  /** The database's clock. */
  readonly at: Date;
  /**
   * Names the history that the numbers of transactions belong to. It differs after a restore and after a failover,
   * because the same numbers may then mean other transactions.
   */
  readonly history: string;
}

export interface Looker {
  /**
   * Everything that was committed before the call is in the snapshot. The snapshot is that of the last look when no
   * transaction has ended since; nothing is written in that case.
   */
  look(): Promise<Look>;
}

/** A transaction of ours: those with higher numbers began after it. */
interface Sample {
  readonly xid: number;
  /** In ms since 1970. */
  readonly at: number;
  /** What was known then. */
  readonly snapshot: Snapshot;
}

/** With an older sample, a look takes two, so that its times are close. */
const freshMs = 2_000;

/** For how long a look is that of a database in which nothing happens, in ms. */
const reusedMs = 60_000;

/**
 * Looks at one database, and remembers the last look, because it tells when the transactions of the next one began.
 * Looks of a process follow one another.
 */
export function createLooker(db: Db): Looker {
  let sample: Sample | null = null;
  let last: { readonly look: Look; readonly ms: number } | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  async function lookAnew(): Promise<Look> {
    sample ??= await firstSample(db);
    const { pg, xid, began, at, history: name } = await takeSnapshot(db);
    if (xid <= sample.xid || (last !== null && last.look.history !== name)) {
      // Another server has taken over, and the sample says nothing about its transactions.
      sample = null;
      last = null;
      return lookAnew();
    }
    const snapshot = bounded(dated(pg, xid, sample));
    sample = { xid, at: began.getTime(), snapshot };
    last = { look: { snapshot, at, history: name }, ms: performance.now() };
    return last.look;
  }

  async function look(): Promise<Look> {
    const ageMs = last === null ? Infinity : performance.now() - last.ms;
    if (last !== null && sample !== null && ageMs < reusedMs) {
      const { pg, at } = await peek(db);
      if (isSame(pg, last.look.snapshot, sample.xid)) return { ...last.look, at };
    }
    if (sample !== null && ageMs > freshMs) await lookAnew();
    return lookAnew();
  }

  return {
    look() {
      const result = queue.then(look);
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

/** Whether every transaction that the snapshot has not seen still runs, but for our own, and none is newer. */
function isSame(now: PgSnapshot, { xmax, running }: Snapshot, own: number): boolean {
  if (now.xmax > Math.max(xmax, own + 1) || own - xmax > now.running.length) return false;
  const unseen = running.map(([xid]) => xid);
  for (let xid = xmax; xid < own; xid += 1) unseen.push(xid);
  return unseen.every((xid) => now.running.includes(xid));
}

/** Adds the times. `own` is our transaction that read the snapshot; it writes no events. */
function dated({ xmax, running }: PgSnapshot, own: number, before: Sample): Snapshot {
  const known = new Map(before.snapshot.running);
  const since = (xid: number): number => {
    if (xid > before.xid) return before.at;
    return known.get(xid) ?? (xid >= before.snapshot.xmax ? before.snapshot.since : 0);
  };
  return {
    xmax,
    since: before.at,
    running: running
      .filter((xid) => xid !== own)
      .toSorted((a, b) => a - b)
      .map((xid) => [xid, since(xid)]),
  };
}

interface Taken {
  readonly pg: PgSnapshot;
  readonly xid: number;
  readonly began: Date;
  readonly at: Date;
  readonly history: string;
}

/**
 * Reads the snapshot in a transaction that writes to the log, so that its commit is on disk before anybody learns the
 * snapshot. Otherwise a crash of the server could hand out the numbers of ended transactions again, and a reader would
 * take their rows for seen.
 */
function takeSnapshot(db: Db): Promise<Taken> {
  return transact(db, async (trx, commit) => {
    const begun = sql<{ xid: string; began: Date }>`
      select pg_current_xact_id()::text as xid, now() as began, pg_logical_emit_message(true, 'notify', '')`.execute(
      trx,
    );
    const read = sql<{ snapshot: string; at: Date; history: string }>`
      select pg_current_snapshot()::text as snapshot, clock_timestamp() as at, ${history} as history`.execute(
      trx,
    );
    begun.catch(() => undefined);
    const [{ snapshot, at, history: name }] = (await commit(read)).rows as [
      { snapshot: string; at: Date; history: string },
    ];
    const [{ xid, began }] = (await begun).rows as [{ xid: string; began: Date }];
    return { pg: parsePgSnapshot(snapshot), xid: Number(xid), began, at, history: name };
  });
}

/**
 * The server, its timeline, the database, the table, and what the operator renews after a restore. A point-in-time
 * recovery and a promoted standby begin a timeline.
 */
const history = sql<string>`left(md5(concat_ws(' ', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), (select oid from pg_database where datname = current_database()),
  'events'::regclass::oid, (select epoch from event_epoch))), 16)`;

async function peek(db: Db): Promise<{ readonly pg: PgSnapshot; readonly at: Date }> {
  const { rows } = await sql<{ snapshot: string; at: Date }>`
    select pg_current_snapshot()::text as snapshot, clock_timestamp() as at`.execute(db);
  return { pg: parsePgSnapshot(rows[0]!.snapshot), at: rows[0]!.at };
}

/**
 * A sample for a process that has none. Transactions that run already are dated by what Postgres tells of those of our
 * own role, and else by the sample that the usage figures keep, some seconds old. An older one has no known beginning.
 */
async function firstSample(db: Db): Promise<Sample> {
  const { xid, began } = await takeSnapshot(db);
  const near = String(xid);
  const { rows } = await sql<{
    counted: string | null;
    asOf: Date | null;
    running: [number, number][] | null;
  }>`
    select p.xid::text as counted, p.as_of as "asOf", (
      select json_agg(json_build_array(
        ${near}::bigint + age(${near}::xid8::xid) - age(backend_xid), floor(extract(epoch from xact_start) * 1000)))
      from pg_stat_activity where backend_xid is not null and xact_start is not null
    ) as running
    from (select) one left join usage_progress p
      on p.source = 'events' and p.as_of is not null and p.xid < ${near}::xid8`.execute(db);
  const { counted, asOf, running } = rows[0]!;
  const snapshot = { xmax: Number(counted ?? 0) + 1, since: asOf?.getTime() ?? 0, running: running ?? [] };
  return { xid, at: began.getTime(), snapshot };
}
