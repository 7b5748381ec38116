import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import {
  openTestDb,
  type PostgresCluster,
  type RegisteredTenant,
  registerTenant,
  type RunningProcesses,
  startPostgresCluster,
  startProcesses,
} from '@notify/testkit';
import pg from 'pg';

let cluster: PostgresCluster;
let processes: RunningProcesses;
let tenant: RegisteredTenant;

beforeAll(async () => {
  cluster = await startPostgresCluster();
  const db = openTestDb(cluster.url);
  await migrate(db);
  await db.destroy();
  await prepareQueue({ databaseUrl: cluster.url, redisUrl: null, databaseSessionUrl: null });
  processes = await startProcesses({
    databaseUrl: cluster.url,
    redisUrl: null,
    env: {
      BCRYPT_COST: '4',
      DATABASE_READ_URL: cluster.url.replace('=read-write', '=prefer-standby'),
    },
    dispatch: 0,
    webhook: 0,
  });
  tenant = await registerTenant(processes.api[0]!.url);
});

afterAll(async () => {
  await processes?.stop();
  await cluster?.remove();
});

async function onStandby(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.standby.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The ids in the list of messages, newest first. */
async function listed(): Promise<string[]> {
  const { data } = (await tenant.get('/v1/messages')) as { data: { messageId: string }[] };
  return data.map(({ messageId }) => messageId);
}

async function send(): Promise<string> {
  const { id } = (await tenant.send('sms/text', { to: '+14155550123', text: 'Hello' })) as { id: string };
  return id;
}

/** Resolves when the list is as expected; Jest's time limit ends it otherwise. */
async function untilListed(expected: readonly string[]): Promise<void> {
  while (JSON.stringify(await listed()) !== JSON.stringify(expected)) await new Promise(setImmediate);
}

test('lists come from the replica, single messages from the primary, and all from the primary while the replica is away', async () => {
  const first = await send();
  await untilListed([first]);

  // The standby receives what is committed, and does not show it.
  await onStandby('select pg_wal_replay_pause()');
  const second = await send();
  expect(await listed()).toEqual([first]);
  expect(await tenant.get(`/v1/messages/${second}`)).toMatchObject({ messageId: second });
  await onStandby('select pg_wal_replay_resume()');
  await untilListed([second, first]);

  await onStandby('select pg_wal_replay_pause()');
  await cluster.standby.stop('immediate');
  await untilListed([second, first]);
});
