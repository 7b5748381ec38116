import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openTestDb, startOwnPostgres } from '@notify/testkit';
import { type Kysely, sql } from 'kysely';
import { migrate } from '../../../src/maintenance/index.ts';
import { knownMigrations } from '../../../src/maintenance/migrate/files.ts';
import type { Migration } from '../../../src/maintenance/migrate/migration.ts';
import { codeVersion } from '../../../src/maintenance/migrate/version.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const known = await knownMigrations();
const textOf = ({ name }: Migration): Promise<string> =>
  readFile(path.join(root, 'migrations', `${name}.ts`), 'utf8');

test.each(known.map((one) => [one.name, one] as const))(
  '%s begins with what it does, and with the version that its declaration names',
  async (_name, migration) => {
    const comment = /^(?:\/\/ .*\n)+/.exec(await textOf(migration))?.[0] ?? '';
    const line = comment.replaceAll(/\n\/\/ /g, ' ');
    expect(line).toMatch(/^\/\/ [A-Z].*\. Compatible from version \d+\.\d+\.\d+(?:, [^.]+)?\.\n$/);
    expect(/Compatible from version (\d+\.\d+\.\d+)/.exec(line)?.[1]).toBe(migration.compatibleFrom);
  },
);

test('no migration sets how long it waits for a lock, because migrate does', async () => {
  for (const migration of known) expect(await textOf(migration)).not.toMatch(/lock_timeout|nowait/i);
});

test('the migrations know the version of the service', async () => {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  expect(codeVersion).toBe(manifest.version);
});

interface Lock {
  readonly table: string;
  readonly mode: string;
}

/** Tables of ours, without the partitions. */
async function tables(db: Kysely<never>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

const strengths = ['share update exclusive', 'share', 'share row exclusive', 'exclusive', 'access exclusive'];

/** The strongest lock of each table that this transaction holds. */
async function locksHeld(db: Kysely<never>, before: ReadonlySet<string>): Promise<Record<string, string>> {
  const { rows } = await sql<Lock>`
    select c.relname as table, trim(lower(regexp_replace(replace(l.mode, 'Lock', ''), '([A-Z])', ' \\1', 'g'))) as mode
    from pg_locks l join pg_class c on c.oid = l.relation where l.pid = pg_backend_pid() and l.granted`.execute(
    db,
  );
  const held: Record<string, string> = {};
  for (const { table, mode } of rows)
    if (before.has(table) && strengths.indexOf(mode) > strengths.indexOf(held[table] ?? ''))
      held[table] = mode;
  return held;
}

test('each migration declares the locks that Postgres shows', async () => {
  const server = await startOwnPostgres();
  const db = openTestDb(server.url);
  const held: Record<string, Record<string, string>> = {};
  const watched = known.map((migration) => ({
    ...migration,
    async up(trx: Kysely<never>, tools: Parameters<Migration['up']>[1]) {
      const before = await tables(trx);
      await migration.up(trx, tools);
      if (migration.transaction) held[migration.name] = await locksHeld(trx, before);
    },
  }));
  try {
    await migrate(db, { migrations: watched });
    const declared = known.filter(({ transaction }) => transaction).map(({ name, locks }) => [name, locks]);
    expect(held).toEqual(Object.fromEntries(declared));
  } finally {
    await db.destroy();
    await server.remove();
  }
});
