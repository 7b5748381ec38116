import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Db, isDatabaseAway, openDb, whenDatabaseIsBack } from '@notify/db/connection';
import { openPool } from '@notify/db/servers';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

interface Proxy {
  readonly url: string;
  /** From now on nothing passes on the connections there are, and they stay open; new ones are served. */
  silence(): void;
  readonly silenced: AbortSignal;
  /** How many connections were opened. */
  opened(): number;
  close(): void;
}

/** A proxy before Postgres. It passes nothing on until `answersFrom`. */
async function startProxy(
  databaseUrl: string,
  answersFrom: Promise<unknown> = Promise.resolve(),
): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silence = new AbortController();
  let opened = 0;
  async function pass(near: Socket): Promise<void> {
    opened += 1;
    sockets.add(near.on('error', () => undefined));
    await answersFrom;
    const isOld = !silence.signal.aborted;
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => (isOld && silence.signal.aborted) || to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  }
  const server = createServer((near) => void pass(near)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence: () => silence.abort(),
    silenced: silence.signal,
    opened: () => opened,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A connection that is not given back stays open when its pool is closed. */
async function untilNoneIsLeft(db: Db, applicationName: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where application_name = ${applicationName} and datname = current_database()`.execute(
      db,
    );
    if (rows.length === 0) return;
    await wait(20);
  }
}

test('closing waits for queries that still wait for their first connection, and ends', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url);
  await sql`select 1`.execute(db);
  const late = Array.from({ length: 5 }, () => sql<{ one: number }>`select 1 as one`.execute(db));
  // The queries go on as far as asking the pool.
  await new Promise(setImmediate);
  await db.destroy();
  const answers = await Promise.all(late);
  expect(answers.map(({ rows }) => rows[0]?.one)).toEqual([1, 1, 1, 1, 1]);
});

test('a connection that breaks between the statements of a transaction fails it, and ends no process', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url);
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const broken = db.transaction().execute(async (trx) => {
    const { rows } = await pid.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]!.pid}, 10000)`.execute(test.db);
    await pid.execute(trx);
  });
  expect(isDatabaseAway(await broken.catch((error: unknown) => error))).toBe(true);
  expect((await pid.execute(db)).rows).toHaveLength(1);
  await db.destroy();
});

test('connections whose statements timed out are replaced, also those of transactions', async () => {
  await using test = await testDatabase();
  const proxy = await startProxy(test.url);
  const db = openDb(proxy.url, { maxConnections: 2, queryTimeoutMs: 1_000 });
  try {
    const one = sql<{ one: number }>`select 1 as one`;
    const lost = await Promise.allSettled([
      db.transaction().execute(async (trx) => {
        await one.execute(trx);
        await one.execute(db);
        proxy.silence();
        await one.execute(trx);
      }),
      once(proxy.silenced, 'abort').then(() => one.execute(db)),
    ]);
    expect(lost.map((query) => query.status === 'rejected' && isDatabaseAway(query.reason))).toEqual([
      true,
      true,
    ]);
    const answers = await Promise.all(
      [1, 2].map(() =>
        whenDatabaseIsBack(
          () => one.execute(db),
          () => undefined,
        ),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.one)).toEqual([1, 1]);
  } finally {
    await db.destroy();
    proxy.close();
  }
});

test('a statement that takes too long for its pool is ended by the server, and its connection goes on', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url, { maxConnections: 1, statementTimeoutMs: 50 });
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  // A busy machine may need longer than that for these two, too.
  const ask = () =>
    whenDatabaseIsBack(
      () => pid.execute(db),
      () => undefined,
    );
  const { rows } = await ask();
  const ended = await sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: '57014' });
  expect(isDatabaseAway(ended)).toBe(true);
  expect((await ask()).rows).toEqual(rows);
  await db.destroy();
});

test('a statement fails when it has waited long enough, and later ones use the connection it waited for', async () => {
  await using test = await testDatabase();
  const answers = Promise.withResolvers<void>();
  const proxy = await startProxy(test.url, answers.promise);
  const db = openDb(proxy.url, {
    maxConnections: 1,
    waitMs: 50,
    connectTimeoutMs: 60_000,
    applicationName: 'late',
  });
  const one = sql<{ one: number }>`select 1 as one`;
  const ask = () => one.execute(db);
  try {
    const refused = await Promise.allSettled([ask(), ask(), ask()]);
    expect(refused.map((each) => each.status === 'rejected' && isDatabaseAway(each.reason))).toEqual([
      true,
      true,
      true,
    ]);
    answers.resolve();
    await whenDatabaseIsBack(ask, () => undefined);
    const later = await Promise.all([1, 2, 3].map(() => whenDatabaseIsBack(ask, () => undefined)));
    expect(later.map(({ rows }) => rows[0]?.one)).toEqual([1, 1, 1]);
    expect(proxy.opened()).toBe(1);
    await db.destroy();
    await untilNoneIsLeft(test.db, 'late');
  } finally {
    proxy.close();
  }
});

test('a statement that waited too long for a busy connection leaves it to others', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url, { maxConnections: 1, waitMs: 50, applicationName: 'busy' });
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const first = await whenDatabaseIsBack(
    () =>
      db.transaction().execute(async (trx) => {
        const late = await pid.execute(db).catch((error: unknown) => error);
        expect(isDatabaseAway(late)).toBe(true);
        return pid.execute(trx);
      }),
    () => undefined,
  );
  const later = await whenDatabaseIsBack(
    () => pid.execute(db),
    () => undefined,
  );
  expect(later.rows).toEqual(first.rows);
  await db.destroy();
  await untilNoneIsLeft(test.db, 'busy');
});

test('closing does not wait for a connection that nobody waits for any more', async () => {
  await using test = await testDatabase();
  const proxy = await startProxy(test.url, new Promise(() => undefined));
  const db = openDb(proxy.url, { waitMs: 50, connectTimeoutMs: 2_000_000_000 });
  const late = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(isDatabaseAway(late)).toBe(true);
  await db.destroy();
  proxy.close();
});

test('of the idle connections of a pool one stays open, and serves the next statement', async () => {
  await using test = await testDatabase();
  const idleTimeoutMillis = 10;
  const pool = openPool(test.url, { application_name: 'idle', idleTimeoutMillis });
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const removed = once(pool, 'remove');
  const opened = Promise.withResolvers<never>();
  pool.on('connect', () => opened.reject(new Error('another connection was opened')));
  for (const client of clients) client.release();
  await removed;
  // Timers of the same time fire in the order of their start.
  await wait(idleTimeoutMillis);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  await Promise.race([pool.query('select'), opened.promise]);
  await pool.end();
  await untilNoneIsLeft(test.db, 'idle');
});
