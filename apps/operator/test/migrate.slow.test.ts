import { prepareQueue } from '@notify/queue';
import { testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { notify as notifyHere, type Outcome } from './notify.ts';

const last = '0030_event_traceparent';

const notify = ({ url }: TestDatabase, ...args: readonly string[]): Promise<Outcome> =>
  notifyHere(args, { DATABASE_URL: url, REDIS_URL: '', NOTIFY_MODE: 'production' });

/** A database that lacks 0030. What came after it is there: a release may bring an older branch's migration. */
async function olderDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await sql`alter table events drop column traceparent`.execute(database.db);
  await sql`delete from kysely_migration where name = ${last}`.execute(database.db);
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  return database;
}

test('migrate --plan shows what is pending, what it locks, and changes nothing', async () => {
  await using database = await olderDatabase();
  const { code, out } = await notify(database, 'migrate', '--plan');
  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^1\/\d+ 0030_event_traceparent$/),
    '  in a transaction; compatible from version 0.1.0',
    expect.stringMatching(/^ {2}locks events \(\d+ kB\): access exclusive$/),
  ]);
  const { value } = {
    value: JSON.parse((await notify(database, 'migrate', '--plan', '--json')).out) as unknown,
  };
  expect(value).toMatchObject({
    pending: expect.arrayContaining([
      {
        name: last,
        transaction: true,
        compatibleFrom: '0.1.0',
        locks: [{ table: 'events', mode: 'access exclusive', bytes: expect.any(Number) }],
      },
    ]),
    inTheWay: [],
  });
});

test('migrate tells its progress beside its answer', async () => {
  await using database = await olderDatabase();
  const { code, out, error } = await notify(database, 'migrate');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^applied 0030_event_traceparent/) });
  expect(error.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^1\/\d+ 0030_event_traceparent$/),
    expect.stringMatching(/^ {2}done in \d+\.\d s$/),
  ]);
  expect(await notify(database, 'migrate', '--plan')).toEqual({
    code: 0,
    out: 'no pending migrations',
    error: '',
  });
});

test('migrate that gives up ends with 75 and says who holds the lock, without values', async () => {
  await using database = await olderDatabase();
  await database.db.transaction().execute(async (trx) => {
    await sql`select id from events where tenant_id::text = 'a-private-value'`.execute(trx);
    const { code, out, error } = await notify(database, 'migrate', '--wait-seconds', '1');
    expect({ code, out }).toEqual({ code: 75, out: '' });
    const [, waits, gaveUp] = error.split('\n');
    const holder =
      /pid \d+ \(notify, of \w+ at [\d.]+, idle in transaction, open for \d+\.\d s\): select id from events where tenant_id::text =/;
    expect(waits).toMatch(new RegExp(`^  waits for ${holder.source}; sends go on$`));
    expect(gaveUp).toMatch(new RegExp(`^gave up after 1 s: ${holder.source} holds locks\\. End it, `));
  });
  expect((await notify(database, 'migrate', '--wait-seconds', 'soon')).error).toBe(
    '--wait-seconds must be a whole number of seconds, at most 86400',
  );
});

test('other commands refuse a schema that lacks migrations, and one that is too new', async () => {
  await using database = await olderDatabase();
  expect(await notify(database, 'tenant', 'list')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^migrations are pending: 0030_event_traceparent/),
  });
  await notify(database, 'migrate');
  await sql`insert into kysely_migration values ('9001_future', '2030-01-01T00:00:00.000Z', '99.1.0')`.execute(
    database.db,
  );
  const tooNew =
    'the schema is too new for version 0.1.0: since migration 9001_future it needs version 99.1.0 or later';
  expect(await notify(database, 'tenant', 'list')).toEqual({ code: 1, out: '', error: tooNew });
  expect(await notify(database, 'migrate')).toEqual({ code: 1, out: '', error: tooNew });
});
