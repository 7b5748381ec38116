import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';

/**
 * Every column with sealed values. Each value is bound to the `tenant_id` and `key` of its row. If a column were
 * missing here, its old master key would be needed for ever; a test compares this list with `tables.ts`.
 */
export const sealedColumns = [
  { table: 'event_secrets', column: 'secret', key: 'tenant_id' },
  { table: 'channel_accounts', column: 'settings', key: 'id' },
  { table: 'webhooks', column: 'secret', key: 'id' },
  { table: 'webhooks', column: 'previous_secret', key: 'id' },
  { table: 'webhook_older_secrets', column: 'secret', key: 'id' },
  { table: 'verifications', column: 'sealed_code', key: 'id' },
  { table: 'whatsapp_links', column: 'shown', key: 'account_id' },
  { table: 'whatsapp_links', column: 'data_key', key: 'account_id' },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/** One sealed value, with its row and tenant. */
export interface SealedValue {
  readonly id: string;
  readonly tenantId: string;
  readonly sealed: string;
}

/** Up to `limit` values of a column in row order, after the row `afterId`. Includes those of removed accounts. */
export async function readSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  afterId: string | null,
  limit: number,
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(key)} as id, tenant_id as "tenantId", ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null and (${afterId}::uuid is null or ${sql.ref(key)} > ${afterId}::uuid)
    order by ${sql.ref(key)} limit ${limit}`.execute(db);
  return rows;
}

/** How many values of a column each master key sealed, by the version of the key. */
export async function countSealed(
  db: Db,
  { table, column }: SealedColumn,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ version: string; count: number }>`
    select substring(${sql.ref(column)} from '^v([0-9]+)\\.') as version, count(*)::int as count
    from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1`.execute(db);
  return new Map(rows.map(({ version, count }) => [version ?? 'none', count]));
}

/** A value to replace, and its replacement. */
export interface Resealed {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces each value if its row still holds the value that was read. A concurrent write always wins. Returns how many
 * were replaced.
 */
export async function replaceSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  values: readonly Resealed[],
): Promise<number> {
  const resealed = unnestRows('r', values, {
    id: uuid((one) => one.id),
    before: text((one) => one.from),
    after: text((one) => one.to),
  });
  const { numAffectedRows } = await sql`
    with resealed as (select * from ${resealed}),
    locked as (
      select ${sql.ref(key)} as id from ${sql.table(table)} where ${sql.ref(key)} in (select id from resealed)
      order by ${sql.ref(key)} for no key update
    )
    update ${sql.table(table)} t set ${sql.ref(column)} = r.after
    from resealed r join locked on locked.id = r.id
    where t.${sql.ref(key)} = r.id and t.${sql.ref(column)} = r.before`.execute(db);
  return Number(numAffectedRows ?? 0);
}
