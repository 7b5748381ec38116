import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { LogLevelInForce } from './processes.ts';

/** A change of log levels to store. */
export interface NewLogLevel {
  /** The name of the processes that it is for; null for all. */
  readonly process: string | null;
  /** Null for all components. */
  readonly component: string | null;
  readonly level: string;
}

/**
 * Puts log levels in force, for this many seconds. Each replaces earlier ones for the same processes and component; one
 * for all processes or all components replaces those that it covers. Returns the time when they end. Processes take them
 * with their next heartbeat.
 */
export async function setLogLevels(db: Db, levels: readonly NewLogLevel[], seconds: number): Promise<Date> {
  return db.transaction().execute(async (trx) => {
    await sql`
      delete from log_levels l
      using jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as n(process text, component text)
      where l.until <= now()
        or (coalesce(l.process = n.process, n.process is null)
            and coalesce(l.component = n.component, n.component is null))`.execute(trx);
    const { rows } = await sql<{ until: Date }>`
      insert into log_levels (process, component, level, until)
      select process, component, level, now() + make_interval(secs => ${seconds})
      from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as n(process text, component text, level text)
      returning until`.execute(trx);
    return rows[0]!.until;
  });
}

/** The changes of log levels in force, oldest first. */
export async function listLogLevels(db: Db): Promise<LogLevelInForce[]> {
  return db
    .selectFrom('log_levels')
    .select(['process', 'component', 'level', sql<Date | null>`nullif(until, 'infinity')`.as('until')])
    .where('until', '>', sql<Date>`now()`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Ends every change of log levels. Returns how many were in force. */
export async function resetLogLevels(db: Db): Promise<number> {
  const { rows } = await sql<{ in_force: boolean }>`
    delete from log_levels returning until > now() as in_force`.execute(db);
  return rows.filter((row) => row.in_force).length;
}
