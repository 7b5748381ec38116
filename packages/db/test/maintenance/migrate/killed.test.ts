import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import type { Db } from '../../../src/connection/index.ts';
import { migrate, type MigrationEvent } from '../../../src/maintenance/index.ts';
import { addsColumn, addsIndex, migrationsAnd } from './drill-migrations.ts';
import { holdLock } from './hold-lock.ts';

const program = path.join(import.meta.dirname, 'migrating-process.ts');

function startMigrating(url: string, which: 'column' | 'index'): ChildProcess {
  const child = spawn(process.execPath, [program, url, which], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child, 'SIGKILL');
  return child;
}

/** Resolves when the process tells of such an event. */
async function tells(child: ChildProcess, kind: MigrationEvent['kind']): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! }))
    if ((JSON.parse(line) as MigrationEvent).kind === kind) return;
  throw new Error(`ended without "${kind}"`);
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

interface IndexState {
  readonly index: string;
  readonly valid: boolean;
}

async function testIndexes(db: Db): Promise<IndexState[]> {
  const { rows } = await sql<IndexState>`
    select indexrelid::regclass::text as index, indisvalid as valid from pg_index
    where indexrelid::regclass::text like 'messages%test' order by 1`.execute(db);
  return rows;
}

test('an index that a killed migrate left half made is dropped and made again, on every partition', async () => {
  await using test = await testDatabase();
  const { db, url } = test;
  const held = await holdLock(db, 'messages_default', 'row exclusive');
  const child = startMigrating(url, 'index');
  // By then the partitions before it have their index.
  await until(async () => (await testIndexes(db)).some(({ index }) => index === 'messages_default_test'));
  await kill(child);
  // Postgres notices within a second that nobody waits for the index.
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently%' and state = 'active'`.execute(
      db,
    );
    return rows.length === 0;
  });
  await held.release();
  expect((await testIndexes(db)).filter(({ valid }) => !valid).map(({ index }) => index)).toEqual([
    'messages_default_test',
    'messages_test',
  ]);

  expect(await migrate(db, { migrations: await migrationsAnd(addsIndex) })).toEqual([addsIndex.name]);
  const indexes = await testIndexes(db);
  // The parent's, the default partition's, and those of three months.
  expect(indexes).toHaveLength(5);
  expect(indexes.every(({ valid }) => valid)).toBe(true);
});

test('while one migrate runs another waits and says who runs; when that one is killed it goes on', async () => {
  await using test = await testDatabase();
  const { db, url } = test;
  const held = await holdLock(db, 'messages', 'access share');
  const child = startMigrating(url, 'column');
  await tells(child, 'waits');
  const events: MigrationEvent[] = [];
  const second = migrate(db, {
    migrations: await migrationsAnd(addsColumn),
    onEvent: (event) => events.push(event),
  });
  await until(async () => events.some(({ kind }) => kind === 'queued'));
  const [queued] = events;
  expect(queued).toMatchObject({
    kind: 'queued',
    behind: { applicationName: expect.stringMatching(new RegExp(`^notify-migrate .* ${child.pid}$`)) },
  });
  await kill(child);
  await until(async () => events.some(({ kind }) => kind === 'waits'));
  await held.release();
  expect(await second).toEqual([addsColumn.name]);
});

test('a migrate that waits keeps no transaction open, for which an index of the other one would wait', async () => {
  await using test = await testDatabase();
  const { db, url } = test;
  const held = await holdLock(db, 'messages', 'access share');
  const child = startMigrating(url, 'column');
  await tells(child, 'waits');
  const events: MigrationEvent[] = [];
  const second = migrate(db, {
    migrations: await migrationsAnd(addsColumn),
    onEvent: (event) => events.push(event),
  });
  await until(async () => events.length > 0);
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and application_name like 'notify-migrate%' and xact_start is not null`.execute(db);
    return rows.length === 1;
  });
  await held.release();
  await once(child, 'exit');
  expect(await second).toEqual([]);
});

test('a migrate that waited for another has nothing left to do', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const migrations = await migrationsAnd(addsColumn, addsIndex);
  const both = await Promise.all([migrate(db, { migrations }), migrate(db, { migrations })]);
  expect(both.toSorted((one, other) => one.length - other.length)).toEqual([
    [],
    [addsColumn.name, addsIndex.name],
  ]);
});
