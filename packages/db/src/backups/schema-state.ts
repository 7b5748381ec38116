import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { type Fit, readFit } from '../maintenance/migrate/fit.ts';

/** What a restore that reported errors leaves behind. */
export interface SchemaState extends Fit {
  /** Indexes that no query uses, because their creation did not end. */
  readonly invalidIndexes: readonly string[];
  readonly indexes: number;
  /** Tables whose rows nothing keeps apart. Each of ours has a primary key. */
  readonly tablesWithoutKey: readonly string[];
  /** Constraints that rows may violate. */
  readonly uncheckedConstraints: readonly string[];
  /** Columns whose next generated number exists already, so that inserts would fail. */
  readonly sequencesBehind: readonly string[];
}

export async function readSchemaState(trx: Trx): Promise<SchemaState> {
  const { rows } = await sql<Omit<SchemaState, 'sequencesBehind' | keyof Fit>>`
    with ours as (
      select c.oid, c.relname, c.relkind from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    )
    select (select count(*)::int from pg_index i join ours on ours.oid = i.indrelid) as indexes,
      array(select i.indexrelid::regclass::text from pg_index i join ours on ours.oid = i.indrelid
        where not (i.indisvalid and i.indisready) order by 1) as "invalidIndexes",
      array(select relname::text from ours
        where not exists (select from pg_index i where i.indrelid = ours.oid and i.indisprimary) order by 1
      ) as "tablesWithoutKey",
      array(select format('%s of %s', conname, ours.relname) from pg_constraint k join ours on ours.oid = k.conrelid
        where not k.convalidated order by 1) as "uncheckedConstraints"`.execute(trx);
  return { ...rows[0]!, ...(await readFit(trx)), sequencesBehind: await sequencesBehind(trx) };
}

/** A dump of rows alone leaves sequences at their start. */
async function sequencesBehind(trx: Trx): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; sequence: string }>`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''`.execute(
    trx,
  );
  const behind: string[] = [];
  for (const { table, column, sequence } of columns) {
    const { rows } = await sql<{ is_behind: boolean }>`
      select coalesce((select max(${sql.ref(column)}) from ${sql.table(table)})
        > (select case when is_called then last_value else last_value - 1 end from ${sql.raw(sequence)}), false)
        as is_behind`.execute(trx);
    if (rows[0]?.is_behind === true) behind.push(`${table}.${column}`);
  }
  return behind;
}
