import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { isDatabaseAway, openDb } from '@notify/db/connection';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

interface Proxy {
  readonly url: string;
  /** From now on nothing passes on the connections there are, and they stay open; new ones are served. */
  silence(): void;
  readonly silenced: AbortSignal;
  close(): void;
}

async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silence = new AbortController();
  const server = createServer((near) => {
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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence: () => silence.abort(),
    silenced: silence.signal,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
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
    const answers = await Promise.all([one.execute(db), one.execute(db)]);
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
  const { rows } = await pid.execute(db);
  const ended = await sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: '57014' });
  expect(isDatabaseAway(ended)).toBe(true);
  expect((await pid.execute(db)).rows).toEqual(rows);
  await db.destroy();
});
