import { type RawBuilder, sql } from 'kysely';
import { type Patience, withBriefLocks } from '../../connection/brief-locks.ts';
import type { Db } from '../../connection/connect.ts';
import type { Statements } from '../../connection/transact.ts';

/** An index to make while its table is in use. */
export interface ConcurrentIndex {
  readonly name: string;
  /** A table, which may be partitioned. */
  readonly table: string;
  /** What follows the table in `create index`: `(tenant_id, id) where deleted_at is null`. */
  readonly on: RawBuilder<unknown>;
  readonly unique?: boolean;
}

interface Builder {
  readonly db: Db;
  /** A connection without a transaction: it waits for long transactions, and nobody waits for it. */
  readonly connection: Statements;
  readonly patience: Patience;
}

/**
 * Makes an index while the table is read and written. Of a partitioned table, where Postgres cannot do that in one
 * statement, each partition gets its own and hands it to the whole table's. Safe to repeat after an interruption
 * anywhere: what is done stays, and an index that was left half made is dropped and made again.
 */
export async function buildIndex(builder: Builder, index: ConcurrentIndex): Promise<void> {
  if (!(await isPartitioned(builder.connection, index.table))) return buildOn(builder, index, index);
  await makeParent(builder, index);
  // Maintenance may add a partition meanwhile.
  for (let left = await partitionsWithout(builder, index); left.length > 0;) {
    for (const table of left) {
      const own = { name: nameIn(table, index), table };
      await buildOn(builder, index, own);
      await attach(builder, index.name, own.name);
    }
    left = await partitionsWithout(builder, index);
  }
}

async function isPartitioned(db: Statements, table: string): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select relkind as kind from pg_class where oid = ${table}::regclass`.execute(db);
  return rows[0]?.kind === 'p';
}

/** Of one table. A failed or interrupted `create index concurrently` leaves an invalid index behind. */
async function buildOn(
  { connection }: Builder,
  { on, unique = false }: ConcurrentIndex,
  { name, table }: { readonly name: string; readonly table: string },
): Promise<void> {
  const state = await stateOf(connection, name);
  if (state === 'valid') return;
  if (state === 'invalid') await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(connection);
  const kind = sql.raw(unique ? 'unique index' : 'index');
  await sql`create ${kind} concurrently ${sql.ref(name)} on ${sql.ref(table)} ${on}`.execute(connection);
}

async function stateOf(db: Statements, index: string): Promise<'missing' | 'valid' | 'invalid'> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`.execute(db);
  return rows[0] === undefined ? 'missing' : rows[0].valid ? 'valid' : 'invalid';
}

/** The index of the whole table is empty, and invalid until every partition's is attached. It keeps writers out for a moment. */
async function makeParent({ db, patience }: Builder, { name, table, on, unique = false }: ConcurrentIndex) {
  if ((await stateOf(db, name)) !== 'missing') return;
  const kind = sql.raw(unique ? 'unique index' : 'index');
  await withBriefLocks(db, patience, (trx) =>
    sql`create ${kind} if not exists ${sql.ref(name)} on only ${sql.ref(table)} ${on}`.execute(trx),
  );
}

/** Partitions without an index that belongs to the whole table's. */
async function partitionsWithout({ db }: Builder, { name, table }: ConcurrentIndex): Promise<string[]> {
  const { rows } = await sql<{ partition: string }>`
    select p.inhrelid::regclass::text as partition from pg_inherits p
    where p.inhparent = ${table}::regclass and not exists (
      select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
      where i.inhparent = to_regclass(${name}) and x.indrelid = p.inhrelid
    ) order by 1`.execute(db);
  return rows.map(({ partition }) => partition);
}

/** `messages_20261101_tenant` for the index `messages_tenant` of `messages`, as Postgres names a partition's index. */
function nameIn(partition: string, { name, table }: ConcurrentIndex): string {
  const own = `${partition}_${name.replace(`${table}_`, '')}`;
  // PostgreSQL, "Identifiers": longer names are cut off, and two could become one.
  if (Buffer.byteLength(own) > 63) throw new Error(`the name of the index ${own} is too long`);
  return own;
}

async function attach({ db, patience }: Builder, parent: string, own: string): Promise<void> {
  await withBriefLocks(db, patience, (trx) =>
    sql`alter index ${sql.ref(parent)} attach partition ${sql.ref(own)}`.execute(trx),
  );
}
