import { testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { demandFit, migrate, planMigrations } from '../../../src/maintenance/index.ts';
import { isBefore } from '../../../src/maintenance/migrate/version.ts';
import { beat } from '../../../src/operations/index.ts';
import { addsColumn, migrationsAnd } from './drill-migrations.ts';

/** As a later version leaves it behind. */
async function migrateFurther(
  { db }: TestDatabase,
  name: string,
  compatibleFrom: string | null,
): Promise<void> {
  await sql`insert into kysely_migration values (${name}, '2030-01-01T00:00:00.000Z', ${compatibleFrom})`.execute(
    db,
  );
}

test('code that is newer than the schema does not fit', async () => {
  await using test = await testDatabase();
  await demandFit(test.db);
  await sql`delete from kysely_migration where name = '0010_usage'`.execute(test.db);
  await expect(demandFit(test.db)).rejects.toMatchObject({
    code: 'migrations-pending',
    message: 'migrations are pending: 0010_usage',
  });
});

test('code that is older than the schema fits as long as the migrations say so', async () => {
  await using test = await testDatabase();
  await migrateFurther(test, '9001_compatible', '0.1.0');
  await demandFit(test.db);
  expect(await migrate(test.db)).toEqual([]);
  await migrateFurther(test, '9002_incompatible', '0.2.0');
  const refused = {
    code: 'schema-too-new',
    message:
      'the schema is too new for version 0.1.0: since migration 9002_incompatible it needs version 0.2.0 or later',
  };
  await expect(demandFit(test.db)).rejects.toMatchObject(refused);
  await expect(migrate(test.db)).rejects.toMatchObject(refused);
  await expect(planMigrations(test.db)).rejects.toMatchObject(refused);
});

test('an unknown migration that says nothing of its compatibility does not fit', async () => {
  await using test = await testDatabase();
  await migrateFurther(test, '9001_silent', null);
  await expect(demandFit(test.db)).rejects.toMatchObject({ code: 'schema-too-new' });
});

test('a database of a version that did not store compatibility gets it with the next migrate', async () => {
  await using test = await testDatabase();
  await sql`alter table kysely_migration drop column compatible_from`.execute(test.db);
  await demandFit(test.db);
  await migrate(test.db);
  const { rows } = await sql`select from kysely_migration where compatible_from is null`.execute(test.db);
  expect(rows).toEqual([]);
});

test('migrate refuses a migration that would break a running process, and applies it once that has ended', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const id = '019aa6e0-0000-7000-8000-000000000001';
  await beat(db, {
    id,
    name: 'dispatch-worker',
    version: '0.1.0',
    host: 'north',
    pid: 12,
    health: null,
    startedAt: new Date(),
    figures: {} as never,
  });
  const migrations = await migrationsAnd({ ...addsColumn, compatibleFrom: '0.2.0' });
  const older = {
    name: 'dispatch-worker',
    host: 'north',
    migration: addsColumn.name,
    compatibleFrom: '0.2.0',
  };
  expect((await planMigrations(db, migrations)).inTheWay).toMatchObject([older]);
  await expect(migrate(db, { migrations })).rejects.toThrow(
    'dispatch-worker of version 0.1.0 still runs (north, pid 12), and migration 9001_test_column needs version 0.2.0: replace or end it first',
  );
  await sql`update processes set seen_at = now() - interval '1 minute'`.execute(db);
  expect(await migrate(db, { migrations })).toEqual([addsColumn.name]);
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.9', '0.1.10', true],
  ['0.9.0', '1.0.0', true],
  ['1.0.0', '0.9.9', false],
  ['0.2.0-rc.1', '0.2.0', false],
])('version %s comes before %s: %s', (version, other, before) => {
  expect(isBefore(version, other)).toBe(before);
});
