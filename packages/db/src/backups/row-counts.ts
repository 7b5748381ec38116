import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';

/** Rows of a table. */
export interface TableRows {
  readonly table: string;
  readonly count: number;
  /** The planner's estimate, by the size of the table and its statistics. */
  readonly isEstimate: boolean;
}

/** The tables whose rows an operator knows by number. */
const mainTables = [
  'tenants',
  'api_keys',
  'channel_accounts',
  'webhooks',
  'messages',
  'attempts',
  'events',
  'deliveries',
  'delivery_attempts',
  'idempotency_keys',
  'dispatch_due',
  'scheduled_messages',
  'message_groups',
  'verifications',
  'verification_limits',
  'delivery_due',
  'receipts',
  'conversations',
  'suppressions',
] as const;

/** Rows are counted exactly up to here. */
const countedUpTo = 10_000;

/** Counts the rows of the main tables that this schema has. Reads at most 10,001 rows of each. */
export async function countRows(trx: Trx): Promise<TableRows[]> {
  const present = await sql<{ table: string }>`
    select name as table from unnest(${[...mainTables]}::text[]) with ordinality t (name, place)
    where to_regclass(name) is not null order by place`.execute(trx);
  const counts: TableRows[] = [];
  for (const { table } of present.rows) counts.push({ table, ...(await countTable(trx, table)) });
  return counts;
}

async function countTable(trx: Trx, table: string): Promise<Omit<TableRows, 'table'>> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${sql.table(table)} limit ${sql.lit(countedUpTo + 1)}) counted`.execute(
    trx,
  );
  const { count } = rows[0]!;
  if (count <= countedUpTo) return { count, isEstimate: false };
  return { count: Math.max(count, await estimate(trx, table)), isEstimate: true };
}

/** The planner knows the present size of each partition, even before the first `analyze`. */
async function estimate(trx: Trx, table: string): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
  }>`
    explain (format json) select from ${sql.table(table)}`.execute(trx);
  return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
}
