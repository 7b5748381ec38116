import { type Db, openDb, poolerFault, whenDatabaseIsBack } from '@notify/db/connection';
import {
  type OwnPostgres,
  type RunningPgBouncer,
  startOwnPostgres,
  startPgBouncer,
  testWith,
} from '@notify/testkit';
import { sql } from 'kysely';

const test = testWith('pgbouncer');

let server: OwnPostgres;
let sessions: RunningPgBouncer;
let transactions: RunningPgBouncer;
let ignoring: RunningPgBouncer;

beforeAll(async () => {
  server = await startOwnPostgres();
  const ofServer = { server: server.url, poolSize: 8 };
  [sessions, transactions, ignoring] = await Promise.all([
    startPgBouncer({ ...ofServer, mode: 'session' }),
    startPgBouncer({ ...ofServer, mode: 'transaction' }),
    startPgBouncer({ ...ofServer, mode: 'session', settings: { ignore_startup_parameters: 'options' } }),
  ]);
});
afterAll(async () => {
  await Promise.all([sessions, transactions, ignoring].map((one) => one[Symbol.asyncDispose]()));
  await server.remove();
});

const through = (mode: 'session' | 'transaction') => ({
  databaseUrl: (mode === 'session' ? sessions : transactions).url,
  databasePooler: mode,
  preparedStatements: mode === 'session',
});

const settingsOf = sql<{ plans: string; scans: string; timeout: string }>`
  select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans,
    current_setting('statement_timeout') as timeout`;
const hot = { plans: 'force_generic_plan', scans: 'off', timeout: '1min' };
const plain = { plans: 'auto', scans: 'on', timeout: '0' };

async function read(db: Db): Promise<unknown> {
  return (await settingsOf.execute(db)).rows[0];
}

describe.each(['session', 'transaction'] as const)('through PgBouncer in %s mode', (mode) => {
  test('a pool has its settings, and no other pool has them', async () => {
    const ours = openDb(through(mode), { hot: true, statementTimeoutMs: 60_000, maxConnections: 3 });
    const others = openDb(through(mode), { maxConnections: 5 });
    for (let round = 0; round < 20; round += 1) {
      const [mine, theirs] = await Promise.all([
        Promise.all([read(ours), read(ours), ours.transaction().execute((trx) => read(trx))]),
        Promise.all([read(others), read(others), others.transaction().execute((trx) => read(trx))]),
      ]);
      expect(mine).toEqual([hot, hot, hot]);
      expect(theirs).toEqual([plain, plain, plain]);
    }
    await Promise.all([ours.destroy(), others.destroy()]);
    const later = openDb(through(mode));
    expect(await Promise.all(Array.from({ length: 8 }, () => read(later)))).toEqual(
      Array.from({ length: 8 }, () => plain),
    );
    await later.destroy();
  });

  test('a failed statement fails alone, stores nothing, and the next one works', async () => {
    const db = openDb(through(mode), { hot: true, maxConnections: 1 });
    await sql.raw(`create table if not exists of_${mode} (id int primary key)`).execute(db);
    const insert = (id: number) =>
      sql`insert into ${sql.table(`of_${mode}`)} values (${id}::int)`.execute(db);
    await insert(1);
    const answers = await Promise.allSettled([insert(2), insert(1), insert(3)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { code: '23505' } });
    const failed = db.transaction().execute(async (trx) => {
      await sql`insert into ${sql.table(`of_${mode}`)} values (4)`.execute(trx);
      throw new Error('changed its mind');
    });
    await expect(failed).rejects.toThrow('changed its mind');
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(`of_${mode}`)} order by id`.execute(
      db,
    );
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
    await db.destroy();
  });

  test('a statement that takes too long is ended', async () => {
    const db = openDb(through(mode), { statementTimeoutMs: 50 });
    await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toMatchObject({ code: '57014' });
    // A busy machine may need longer than that for this one, too.
    const settings = await whenDatabaseIsBack(
      () => read(db),
      () => undefined,
    );
    expect(settings).toMatchObject({ timeout: '50ms' });
    await db.destroy();
  });
});

describe('what is said about the pooler', () => {
  const said = (settings: Partial<Parameters<typeof poolerFault>[0]>) =>
    poolerFault({
      databaseUrl: server.url,
      databasePooler: 'none',
      preparedStatements: true,
      databaseSessionUrl: null,
      ...settings,
    });

  test('fits', async () => {
    expect(await said({})).toBeNull();
    expect(await said({ databasePooler: 'session', databaseUrl: sessions.url })).toBeNull();
    expect(
      await said({
        databasePooler: 'transaction',
        databaseUrl: transactions.url,
        preparedStatements: false,
        databaseSessionUrl: sessions.url,
      }),
    ).toBeNull();
    // A separate connection is more than such a client needs.
    expect(await said({ databasePooler: 'transaction' })).toBeNull();
  });

  test('does not fit', async () => {
    const passesNothing =
      'DATABASE_URL leads to a pooler that does not pass settings on, yet DATABASE_POOLER is none: set it to session or transaction, whichever is its pool_mode';
    for (const pooler of [sessions, transactions, ignoring])
      expect(await said({ databaseUrl: pooler.url })).toBe(passesNothing);
    expect(await said({ databaseUrl: transactions.url, databasePooler: 'session' })).toBe(
      'DATABASE_URL leads to a pooler in transaction mode, yet DATABASE_POOLER is session: set it to transaction',
    );
    expect(await said({ databaseUrl: transactions.url, databasePooler: 'transaction' })).toBe(
      'the pooler of DATABASE_URL forgets prepared statements: set PREPARED_STATEMENTS=off, or max_prepared_statements of PgBouncer 1.21 or later',
    );
    expect(await said({ databaseSessionUrl: transactions.url })).toBe(
      'DATABASE_SESSION_URL leads to a pooler in transaction mode: set it to Postgres itself, or to a pooler in session mode',
    );
  });

  test('cannot be judged while the database is away', async () => {
    await expect(said({ databaseUrl: 'postgres://u@127.0.0.1:1/x' })).rejects.toThrow('ECONNREFUSED');
  });
});
