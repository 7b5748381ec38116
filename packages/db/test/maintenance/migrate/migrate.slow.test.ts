import { performance } from 'node:perf_hooks';
import { makeTenant, ownDatabase, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import { type Db, LockedOut, type Session } from '../../../src/connection/index.ts';
import { migrate } from '../../../src/maintenance/index.ts';
import { pendingMigrations } from '../../../src/maintenance/migrate/fit.ts';
import { dropPartitionsBefore, ensurePartitions, partitioned } from '../../../src/maintenance/partitions.ts';
import { addsColumn, addsIndex, migrationsAnd } from './drill-migrations.ts';
import { holdLock } from './hold-lock.ts';

test('a migrated database has nothing pending and three periods of every partitioned table ahead', async () => {
  await using test = await testDatabase();
  expect(await pendingMigrations(test.db)).toEqual([]);
  const { rows } = await sql<{ parent: string; children: number }>`
    select inhparent::regclass::text as parent, count(*)::int as children from pg_inherits
    join pg_class c on c.oid = inhrelid where c.relkind = 'r' group by 1 order by 1`.execute(test.db);
  expect(new Map(rows.map((row) => [row.parent, row.children]))).toEqual(
    new Map(partitioned.map(({ table }) => [table, 4])),
  );
});

test('each migration has its own transaction, so that its locks end with it', async () => {
  await using test = await ownDatabase();
  const { rows } = await sql<{ all: number; transactions: number }>`
    select count(*)::int as all, count(distinct xmin::text)::int as transactions from kysely_migration`.execute(
    test.db,
  );
  expect(rows[0]!.all).toBeGreaterThan(20);
  expect(rows[0]!.transactions).toBe(rows[0]!.all);
});

/**
 * Accepts a message as a send does. Rejects if it meets a lock for ten times as long as a change of a table may wait in the
 * queue: both are counted by the server.
 */
async function send(db: Db, tenantId: string, accountId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx);
    await sql`
      insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, expires_at)
      values (uuidv7(), ${tenantId}, ${accountId}, 'sms', '+15550001000', 'text', '{}', false, 'queued', now())`.execute(
      trx,
    );
  });
}

test('while another session keeps a migration from a table, one try costs a send a moment, and no other is made', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { tenantId, accountId } = await makeTenant(db);
  const held = await holdLock(db, 'messages', 'access share');
  const waits: (readonly Session[])[] = [];
  const migrating = migrate(db, {
    migrations: await migrationsAnd(addsColumn),
    onEvent: (event) => void (event.kind === 'waits' && waits.push(event.inTheWay)),
  });
  await until(async () => waits.length > 0);
  expect(waits[0]).toMatchObject([
    { pid: held.pid, state: 'idle in transaction', statement: 'lock table "messages" in access share mode' },
  ]);
  const told = waits.length;
  // The next looks, not tries: sends never meet a lock that waits.
  let queued = 0;
  while (waits.length < told + 5) {
    await send(db, tenantId, accountId);
    const { rows } = await sql`select from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
    queued += rows.length;
  }
  expect(queued).toBe(0);
  await held.release();
  expect(await migrating).toEqual([addsColumn.name]);
});

test('a migration gives up after its time, names who was in the way, and leaves nothing behind', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const held = await holdLock(db, 'messages', 'access share');
  const migrations = await migrationsAnd(addsColumn);
  const failure = await migrate(db, { migrations, waitSeconds: 1 }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(LockedOut);
  expect((failure as LockedOut).inTheWay).toMatchObject([{ pid: held.pid }]);
  await held.release();
  expect(await migrate(db, { migrations, waitSeconds: 1 })).toEqual([addsColumn.name]);
});

test('a migration without a transaction waits for long transactions and says for whom', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const held = await holdLock(db, 'messages_default', 'row exclusive');
  const waits: (readonly Session[])[] = [];
  const builds: string[] = [];
  const migrating = migrate(db, {
    migrations: await migrationsAnd(addsIndex),
    onEvent(event) {
      if (event.kind === 'waits') waits.push(event.inTheWay);
      if (event.kind === 'builds') builds.push(event.build.phase);
    },
  });
  await until(async () => waits.length > 0);
  expect(waits[0]).toMatchObject([{ pid: held.pid }]);
  expect(builds).toContain('waiting for writers before build');
  await held.release();
  expect(await migrating).toEqual([addsIndex.name]);
});

test('a vacuum that runs by itself gives way to a migration', async () => {
  await using test = await ownDatabase();
  const { db } = test;
  await sql`create table vacuumed (id integer, note text) with (autovacuum_enabled = false)`.execute(db);
  await sql`insert into vacuumed select n, repeat('x', 500) from generate_series(1, 40000) n`.execute(db);
  await sql`delete from vacuumed where id % 2 = 0`.execute(db);
  await sql`alter system set autovacuum_naptime = '1s'`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  await sql`alter table vacuumed set (autovacuum_enabled = true, autovacuum_vacuum_threshold = 1,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`.execute(
    db,
  );
  await until(async () => {
    const { rows } =
      await sql`select from pg_stat_progress_vacuum where relid = 'vacuumed'::regclass`.execute(db);
    return rows.length > 0;
  });
  const seen: (readonly Session[])[] = [];
  const altered = await migrate(db, {
    migrations: await migrationsAnd({
      ...addsColumn,
      async up(trx) {
        await sql`alter table vacuumed add column more text`.execute(trx);
      },
    }),
    onEvent: (event) => void (event.kind === 'waits' && seen.push(event.inTheWay)),
    waitSeconds: 20,
  });
  expect(altered).toEqual([addsColumn.name]);
  expect(seen[0]).toMatchObject([{ vacuums: 'vacuumed' }]);
});

test('maintenance makes and drops partitions without holding up sends behind a lock', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { tenantId, accountId } = await makeTenant(db);
  await sql`create table messages_20200101 partition of messages
    for values from ('016f5e66-e800-7000-8000-000000000000') to ('016ffe0d-7800-7000-8000-000000000000')`.execute(
    db,
  );
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'messages'::regclass order by 1 desc offset 1 limit 1`.execute(db);
  await sql`drop table ${sql.ref(rows[0]!.name)}`.execute(db);
  const held = await holdLock(db, 'messages', 'access share');
  const maintaining = Promise.all([ensurePartitions(db), dropPartitionsBefore(db, 'messages', 90)]);
  for (const deadline = performance.now() + 1_500; performance.now() < deadline;)
    await send(db, tenantId, accountId);
  await held.release();
  const [, dropped] = await maintaining;
  expect(dropped).toEqual(['messages_20200101']);
});
