import { type QueryExecutorProvider, sql } from 'kysely';

/** A session of the database that others wait for. */
export interface Session {
  /** 0: a prepared transaction, which has no session. */
  readonly pid: number;
  /** Names its transaction, which ends with it. Null if unknown. */
  readonly transaction: string | null;
  readonly applicationName: string;
  readonly user: string;
  /** Where it comes from. Null: the server's own machine, or unknown. */
  readonly address: string | null;
  readonly state: string;
  /** How long its transaction has been open, in ms. Null if unknown. */
  readonly ageMs: number | null;
  /** The first words of its latest statement, up to the first value. */
  readonly statement: string;
  /** The table that a worker of autovacuum works on, as SQL writes it. Null for any other session. */
  readonly vacuums: string | null;
}

/** Sessions that keep the session `pid` from a lock, and those that wait for it before `pid`. */
export async function sessionsInTheWay(db: QueryExecutorProvider, pid: number): Promise<Session[]> {
  // Cheap while it does not wait: the shared tables of locks are read only then.
  const waits = await sql<{ pids: number[] | null }>`
    select case when a.wait_event_type = 'Lock' then pg_blocking_pids(a.pid) end as pids
    from pg_stat_get_activity(${pid}) a`.execute(db);
  const pids = waits.rows[0]?.pids ?? [];
  return pids.length === 0 ? [] : describeSessions(db, pids);
}

/** What is known of these sessions. Without the right to see a session (pg_read_all_stats), its statement is empty. */
export async function describeSessions(
  db: QueryExecutorProvider,
  pids: readonly number[],
): Promise<Session[]> {
  const { rows } = await sql<Omit<Session, 'statement'> & { query: string }>`
    select p.pid, l.virtualtransaction as transaction, coalesce(a.application_name, '') as "applicationName",
      coalesce(a.usename, '') as user, host(a.client_addr) as address, coalesce(a.state, a.backend_type, '') as state,
      (extract(epoch from clock_timestamp() - a.xact_start) * 1000)::float8 as "ageMs", coalesce(a.query, '') as query,
      case when a.backend_type = 'autovacuum worker' then (
        select r.relation::regclass::text from pg_locks r join pg_class c on c.oid = r.relation
        where r.pid = p.pid and r.granted and r.mode = 'ShareUpdateExclusiveLock' and c.relkind = 'r' limit 1
      ) end as vacuums
    from (select distinct unnest(${pids}::int[]) as pid) p
    left join pg_stat_activity a on a.pid = p.pid
    left join pg_locks l on l.pid = p.pid and l.locktype = 'virtualxid' and l.granted and l.mode = 'ExclusiveLock'
    order by "ageMs" desc nulls last`.execute(db);
  return rows.map(({ query, ...session }) => ({ ...session, statement: firstWords(query) }));
}

/** Those of the sessions whose transaction goes on. */
export async function stillAtWork(
  db: QueryExecutorProvider,
  sessions: readonly Session[],
): Promise<Session[]> {
  const { rows } = await sql<{ transaction: string }>`
    select virtualtransaction as transaction from pg_locks where locktype = 'virtualxid' and granted`.execute(
    db,
  );
  const open = new Set(rows.map(({ transaction }) => transaction));
  return sessions.filter(({ transaction }) => transaction !== null && open.has(transaction));
}

const shownWords = 8;

/** Values may be personal, so everything from the first one on is left out, and comments too. */
export function firstWords(statement: string): string {
  const bare = statement.replaceAll(/\/\*.*?\*\/|--[^\n]*/gs, ' ');
  const [harmless = ''] = /^[^'$\d]*/.exec(bare) ?? [];
  return harmless.trim().split(/\s+/).slice(0, shownWords).join(' ');
}
