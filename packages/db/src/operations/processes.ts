import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { ProcessFigures } from './figures.ts';

/** A process counts as ended when it has not been seen for this long, in seconds: three heartbeats. */
export const processAliveSeconds = 15;

/** A process, as its heartbeats describe it. */
export interface Heartbeat {
  /** New for every start. Leases name their process by the first 18 characters of it. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** `host:port` of its health checks and metrics. */
  readonly health: string | null;
  readonly startedAt: Date;
  readonly figures: ProcessFigures;
}

/** A level of logs that is in force until a time, for one process or all, and one component or all. */
export interface LogLevelInForce {
  readonly process: string | null;
  readonly component: string | null;
  readonly level: string;
  /** Null: without an end. */
  readonly until: Date | null;
}

/** A level of logs as a process takes it. */
export interface LogLevelToTake extends Omit<LogLevelInForce, 'until'> {
  /** How long it stays in force, by the database's clock, in ms. At most a year. */
  readonly leftMs: number;
}

export interface BeatAnswer {
  /** The database's clock, in ms since 1970, while it ran the statement. */
  readonly nowMs: number;
  /** Levels for this process, oldest first. A later one for all components outdoes those of single components. */
  readonly logLevels: readonly LogLevelToTake[];
}

/** Writes the process's row of `processes`, in one statement that also reads the clock and the levels of logs. */
export async function beat(db: Db, heartbeat: Heartbeat): Promise<BeatAnswer> {
  const { id, name, version, host, pid, health, startedAt, figures } = heartbeat;
  const { rows } = await sql<{ now_ms: number; levels: LogLevelToTake[] | null }>`
    with seen as (
      insert into processes (id, name, version, host, pid, health, figures, started_at, seen_at)
      values (${id}, ${name}, ${version}, ${host}, ${pid}, ${health}, ${JSON.stringify(figures)}::jsonb,
        ${startedAt}, now())
      on conflict (id) do update
        set health = excluded.health, figures = excluded.figures, seen_at = excluded.seen_at
    )
    select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, (
      select json_agg(
        json_build_object('process', process, 'component', component, 'level', level, 'leftMs',
          extract(epoch from least(until, now() + interval '1 year') - now())::float8 * 1000)
        order by created_at, id
      )
      from log_levels l
      where until > now() and coalesce(process = ${name}, true) and not exists (
        select from log_levels a
        where l.component is not null and a.component is null and coalesce(a.process = ${name}, true)
          and a.until > now() and a.created_at > l.created_at
      )
    ) as levels`.execute(db);
  const [row] = rows;
  return {
    nowMs: row!.now_ms,
    logLevels: row!.levels ?? [],
  };
}

/** Removes the row of a process, at its orderly end. */
export async function endProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

/** Removes the rows of processes that have not been seen for an hour. */
export async function removeEndedProcesses(db: Db): Promise<void> {
  await sql`delete from processes where seen_at < now() - interval '1 hour'`.execute(db);
}

/** A row of `processes`. */
export interface KnownProcess extends Heartbeat {
  readonly seenAt: Date;
  readonly isAlive: boolean;
}

/** Every process that was seen within the last hour, by name and start. */
export async function listProcesses(db: Db): Promise<KnownProcess[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    version: string;
    host: string;
    pid: number;
    health: string | null;
    started_at: Date;
    seen_at: Date;
    figures: ProcessFigures;
    is_alive: boolean;
  }>`
    select id, name, version, host, pid, health, started_at, seen_at, figures, ${isAlive} as is_alive
    from processes order by name, started_at, id`.execute(db);
  return rows.map(({ started_at: startedAt, seen_at: seenAt, is_alive: alive, ...row }) => ({
    ...row,
    startedAt,
    seenAt,
    isAlive: alive,
  }));
}

/** Whether a row of `processes` is of a living process, in SQL. */
export const isAlive = sql<boolean>`seen_at > now() - make_interval(secs => ${sql.lit(processAliveSeconds)})`;
