import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';
import type { NewVerification } from './new-verification.ts';

/** The hour of the figures, in SQL. */
const thisHour = sql`date_trunc('hour', now(), 'UTC')`;

/**
 * The starts in a row of figures that count against a limit per hour, in SQL. Those of the sandbox have the limit to themselves, so a
 * test never uses up what people need.
 */
export function countedStarts(row: string, sandbox: boolean): RawBuilder<number> {
  const figure = (name: string): RawBuilder<number> => sql<number>`${sql.ref(`${row}.${name}`)}`;
  return sandbox ? figure('sandbox_starts') : sql`${figure('starts')} - ${figure('sandbox_starts')}`;
}

/**
 * Counts a start. False if its prefix has had its starts of this hour: then the caller rolls back. The last statement of a start,
 * because all starts of a tenant to one prefix wait for each other here.
 */
export async function countStart(
  trx: Statements,
  { tenantId, prefix, sandbox }: NewVerification,
  startsPerHour: number,
): Promise<boolean> {
  const within = prefix === null ? sql`true` : sql`${countedStarts('c', sandbox)} < ${startsPerHour}::int`;
  const { rows } = await sql`
    insert into verification_counts as c (tenant_id, prefix, hour, starts, sandbox_starts)
    values (${tenantId}::uuid, ${prefix ?? ''}, ${thisHour}, 1, ${sandbox}::bool::int)
    on conflict (tenant_id, prefix, hour) do update set starts = c.starts + 1,
      sandbox_starts = c.sandbox_starts + excluded.sandbox_starts where ${within}
    returning 1`.execute(trx);
  return rows.length > 0;
}

/** Counts a start that was refused. */
export async function countRefused(
  db: Db,
  { tenantId, prefix }: Pick<NewVerification, 'tenantId' | 'prefix'>,
): Promise<void> {
  await sql`
    insert into verification_counts as c (tenant_id, prefix, hour, refused)
    values (${tenantId}::uuid, ${prefix ?? ''}, ${thisHour}, 1)
    on conflict (tenant_id, prefix, hour) do update set refused = c.refused + 1`.execute(db);
}

/**
 * Counts the checks that `source` selects, in SQL: `tenant_id`, `prefix`, `created_at`, `is_first` and `status`. All figures of a
 * verification count in the hour of its start.
 */
export function countChecks(source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      insert into verification_counts as c (tenant_id, prefix, hour, checked, checks, approved, failed)
      select tenant_id, coalesce(prefix, ''), date_trunc('hour', created_at, 'UTC'), is_first::int, 1,
        (status = 'approved')::int, (status = 'failed')::int
      from ${source}
      on conflict (tenant_id, prefix, hour) do update set checked = c.checked + excluded.checked,
        checks = c.checks + 1, approved = c.approved + excluded.approved, failed = c.failed + excluded.failed`;
}

/** The figures of one prefix. */
export interface PrefixFigures {
  /** Null for recipients without one. */
  readonly prefix: string | null;
  readonly starts: number;
  readonly checked: number;
  readonly checks: number;
  readonly approved: number;
  readonly failed: number;
  readonly refused: number;
  /** Null if it is not held. */
  readonly heldUntil: Date | null;
}

/** The figures of a tenant by prefix, from one hour to before another, most starts first. */
export async function readCounts(
  db: Db,
  tenantId: string,
  from: Date,
  until: Date,
): Promise<PrefixFigures[]> {
  const { rows } = await sql<PrefixFigures>`
    select nullif(c.prefix, '') as prefix, sum(starts)::int as starts, sum(checked)::int as checked,
      sum(checks)::int as checks, sum(approved)::int as approved, sum(failed)::int as failed,
      sum(refused)::int as refused, max(l.held_until) filter (where l.held_until > now()) as "heldUntil"
    from verification_counts c
    left join verification_limits l on l.tenant_id = c.tenant_id and l.prefix = c.prefix and l.prefix <> ''
    where c.tenant_id = ${tenantId}::uuid and c.hour >= ${from} and c.hour < ${until}
    group by c.prefix order by 2 desc, c.prefix`.execute(db);
  return rows;
}
