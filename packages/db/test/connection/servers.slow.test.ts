import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Db, isDatabaseAway, openDb } from '@notify/db/connection';
import { openServers, type ServerChange } from '@notify/db/servers';
import { type OwnPostgres, startOwnPostgres, until } from '@notify/testkit';
import { metrics } from '@notify/telemetry';
import { sql } from 'kysely';

let one: OwnPostgres;
let two: OwnPostgres;

beforeAll(async () => {
  [one, two] = await Promise.all([startOwnPostgres(), startOwnPostgres()]);
});
afterAll(() => Promise.all([one.remove(), two.remove()]));
beforeEach(async () => {
  await setReadOnly(one, false);
  await setReadOnly(two, true);
});

const hostOf = (url: string): string => new URL(url).host;
const portOf = (url: string): number => Number(new URL(url).port);

function listOf(first: string, ...others: readonly string[]): string {
  return first.replace(hostOf(first), [first, ...others].map(hostOf).join(','));
}

/** As an operator does who takes a server out of service without stopping it. */
async function setReadOnly(server: OwnPostgres, isReadOnly: boolean): Promise<void> {
  const db = openDb(`${server.url}?target_session_attrs=any`, { maxConnections: 1 });
  await sql.raw(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`).execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  await until(async () => {
    const { rows } = await sql<{ on: boolean }>`
      select current_setting('default_transaction_read_only') = 'on' as on`.execute(db);
    return rows[0]!.on === isReadOnly;
  });
  await db.destroy();
}

async function portNow(db: Db): Promise<number> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db);
  return rows[0]!.port;
}

/** Repeats while the database is away, as the service does. */
async function portSoon(db: Db): Promise<number> {
  let port: number | null = null;
  await until(async () => {
    port = await portNow(db).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      return null;
    });
    return port !== null;
  });
  return port!;
}

async function lost(pool: string): Promise<Record<string, number>> {
  const { values } = await metrics.servers.lost.get();
  return Object.fromEntries(
    values.filter(({ labels }) => labels.pool === pool).map(({ labels, value }) => [labels.reason!, value]),
  );
}

test('of several servers, connections go to the one that takes writes, wherever it is in the list', async () => {
  for (const url of [listOf(one.url, two.url), listOf(two.url, one.url)]) {
    const db = openDb(url);
    const ports = await Promise.all([portNow(db), portNow(db), portNow(db)]);
    expect(new Set(ports)).toEqual(new Set([portOf(one.url)]));
    await db.destroy();
  }
});

test('a server that does not answer prevents no connection to another', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const place = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const db = openDb(one.url.replace(hostOf(one.url), `${place},${hostOf(one.url)}`));
  expect(await portNow(db)).toBe(portOf(one.url));
  await db.destroy();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('when the server ends and another takes over, statements go there', async () => {
  const db = openDb(listOf(one.url, two.url), { applicationName: 'ending' });
  expect(await portNow(db)).toBe(portOf(one.url));
  await one.stop('immediate');
  const failure = await portNow(db).catch((error: unknown) => error);
  expect(isDatabaseAway(failure)).toBe(true);
  await setReadOnly(two, false);
  expect(await portSoon(db)).toBe(portOf(two.url));
  await db.destroy();
  await one.start();
});

test('connections leave a server that became read-only, also while nothing uses them', async () => {
  const db = openDb(listOf(one.url, two.url), { applicationName: 'idle', maxConnections: 2 });
  await Promise.all([portNow(db), portNow(db)]);
  await setReadOnly(two, false);
  await setReadOnly(one, true);
  await until(async () => (await lost('idle')).moved === 2);
  expect(await portNow(db)).toBe(portOf(two.url));
  await db.destroy();
});

test('the first statement that shows that a server became read-only throws out all its connections', async () => {
  const db = openDb(one.url, { applicationName: 'told', maxConnections: 2 });
  await Promise.all([portNow(db), portNow(db)]);
  await setReadOnly(one, true);
  await portNow(db);
  await until(async () => (await lost('told')).read_only === 2);
  const failure = await portNow(db).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: '25006',
    message: expect.stringMatching(/ is read-only; wanted: read-write$/),
  });
  await db.destroy();
});

test('statements in progress on a server that hangs end soon after another has taken over', async () => {
  const db = openDb(listOf(one.url, two.url), { applicationName: 'hanging' });
  const changes: ServerChange[] = [];
  const watch = openServers(listOf(one.url, two.url));
  watch.onChange((change) => changes.push(change));
  expect(await portNow(db)).toBe(portOf(one.url));
  await one.freeze();
  const stuck = portNow(db).catch((error: unknown) => error);
  await setReadOnly(two, false);
  expect(isDatabaseAway(await stuck)).toBe(true);
  expect(await portNow(db)).toBe(portOf(two.url));
  expect(changes).toEqual([{ kind: 'moved', server: hostOf(two.url), other: hostOf(one.url) }]);
  expect((await lost('hanging')).moved).toBe(1);
  await one.thaw();
  await db.destroy();
  watch.close();
});

test('without a server that takes writes, the error names each and what it is', async () => {
  await setReadOnly(one, true);
  const db = openDb(listOf(one.url, two.url, 'postgres://u@127.0.0.1:1/x'));
  const error = await portNow(db).catch((failure: unknown) => failure);
  expect(isDatabaseAway(error)).toBe(true);
  expect((error as Error).message).toBe(
    `no server of the list can be used: ${hostOf(one.url)} is read-only; ${hostOf(two.url)} is read-only; 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1`,
  );
  await db.destroy();
});

test('a refused write throws out all connections to its server, also if it is the only one', async () => {
  const db = openDb(one.url, { applicationName: 'refused', maxConnections: 2 });
  await Promise.all([portNow(db), portNow(db)]);
  const refused = await db
    .transaction()
    .execute(async (trx) => {
      await sql`set transaction read only`.execute(trx);
      await sql`create table t ()`.execute(trx);
    })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: '25006' });
  await until(async () => (await lost('refused')).read_only === 2);
  expect(await portNow(db)).toBe(portOf(one.url));
  await db.destroy();
});

test('target_session_attrs=any connects to a server that is read-only', async () => {
  const db = openDb(`${listOf(two.url, one.url)}?target_session_attrs=any`);
  expect(await portNow(db)).toBe(portOf(two.url));
  await db.destroy();
});
