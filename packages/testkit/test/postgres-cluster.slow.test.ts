import { type ClusterServer, type PostgresCluster, startPostgresCluster } from '@notify/testkit';
import pg from 'pg';

let cluster: PostgresCluster;

beforeEach(async () => {
  cluster = await startPostgresCluster();
  await ask(cluster.primary, 'create table notes (note text)');
});

afterEach(() => cluster.remove());

async function ask(server: ClusterServer, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

const write = (server: ClusterServer, note: string) => ask(server, `insert into notes values ('${note}')`);
const notes = (server: ClusterServer) => ask(server, 'select note from notes order by note');
const isReadOnly = async (server: ClusterServer) =>
  (await ask(server, 'show transaction_read_only'))[0] === 'on';

/** Resolves when so many commits of this server wait for its standby. */
async function untilWaiting(server: ClusterServer, commits: number): Promise<void> {
  const count = `select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'`;
  while ((await ask(server, count))[0] !== commits);
}

test.each(['fast', 'immediate', 'killed'] as const)(
  'what was committed is on the standby when the primary ends (%s), and the old primary rejoins',
  async (how) => {
    const [old, other] = [cluster.primary, cluster.standby];
    await write(old, 'before');
    await old.stop(how);
    await cluster.promote();
    expect(cluster.primary.name).toBe(other.name);
    await write(cluster.primary, 'after');
    await cluster.rejoin();
    await write(cluster.primary, 'later');
    expect([cluster.standby.name, await isReadOnly(cluster.standby)]).toEqual([old.name, true]);
    await cluster.primary.stop('killed');
    await cluster.promote();
    expect(await notes(cluster.primary)).toEqual(['after', 'before', 'later']);
  },
);

test('an old primary that is thawed after the promotion accepts connections, and its commits never end', async () => {
  const old = cluster.primary;
  await old.freeze();
  await cluster.promote();
  await old.thaw();
  expect([await isReadOnly(old), await isReadOnly(cluster.primary)]).toEqual([false, false]);
  const lost = write(old, 'on the old one').catch(String);
  await untilWaiting(old, 1);
  await write(cluster.primary, 'on the new one');
  await cluster.rejoin();
  expect(await lost).toBe('Error: Connection terminated unexpectedly');
  expect(await notes(cluster.primary)).toEqual(['on the new one']);
});

test('a commit waits for the standby, and is not answered before', async () => {
  await cluster.standby.freeze();
  const written = write(cluster.primary, 'waits');
  await untilWaiting(cluster.primary, 1);
  expect(await notes(cluster.primary)).toEqual([]);
  await cluster.standby.thaw();
  await written;
  expect(await notes(cluster.primary)).toEqual(['waits']);
});
