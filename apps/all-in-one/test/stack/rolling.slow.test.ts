import type { Db } from '@notify/db/connection';
import {
  freePort,
  openEventStream,
  openTestDb,
  type OwnPostgres,
  type RunningProcess,
  type SmsGateway,
  startProcess,
  startSmsGateway,
  testWith,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { ask, connect, register, sendText, type Tenant, terminate, times } from '../installation.ts';
import { startLoad } from './load.ts';
import { type Proxy, startProxy } from './proxy.ts';
import {
  apiEnvironment,
  composeWith,
  makeRole,
  newSecrets,
  runMigrate,
  type StackRedis,
  stackRedis,
  startPostgresOf,
  startStackRedis,
} from './stack.ts';

// The service as docker-compose.yml runs it, with three apis: production mode, its proxy, its Redis, its role. Nothing is said of
// what becomes of a message, so no worker runs.

const test = testWith('haproxy', 'psql', ...stackRedis);
const senders = 6;
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

let postgres: OwnPostgres;
let redis: StackRedis;
let proxy: Proxy;
let db: Db;
let gateway: SmsGateway;
let settings: Readonly<Record<string, string>>;
let apis: RunningProcess[];
let tenant: Tenant;

beforeAll(async () => {
  const secrets = newSecrets();
  gateway = await startSmsGateway();
  const allowed = new URL(gateway.url).host;
  const compose = composeWith(secrets, { EGRESS_ALLOW: allowed, API_REPLICAS: '3' });
  postgres = await startPostgresOf(secrets);
  await makeRole(postgres, secrets);
  redis = await startStackRedis(compose);
  const ports = { postgres: Number(new URL(postgres.url).port), redis: redis.port };
  settings = { ...apiEnvironment(compose, ports), NOTIFY_MODE: 'production', LOG_LEVEL: 'warn' };
  await runMigrate(compose, settings);
  db = openTestDb(settings.DATABASE_URL!);
  proxy = await startProxy();
  apis = await Promise.all(addresses.map(startApi));
  await Promise.all(apis.map((one) => one.ready()));
  proxy.names.set(addresses);
  await proxy.has(3);
  tenant = await register(proxy.url, 'ann');
  await connect(proxy.url, tenant, gateway);
});

afterAll(async () => {
  await Promise.all((apis ?? []).map((one) => one.stop()));
  await proxy?.[Symbol.asyncDispose]();
  await db?.destroy();
  await redis?.[Symbol.asyncDispose]();
  await postgres?.remove();
  await gateway?.stop();
});

const options = () => ({
  databaseUrl: settings.DATABASE_URL!,
  redisUrl: settings.REDIS_URL!,
  dataDir: '/nonexistent',
});

async function startApi(address: string): Promise<RunningProcess> {
  const healthPort = await freePort();
  const env = { ...settings, HOST: address };
  return startProcess('api', { ...options(), env, port: proxy.apiPort, healthPort });
}

/** How often each recipient is stored since then. */
async function storedSince(since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ recipient: string; count: number }>`
    select recipient, count(*)::int as count from messages where created_at >= ${since} group by recipient`.execute(
    db,
  );
  return new Map(rows.map(({ recipient, count }) => [recipient, count]));
}

test('while the apis are restarted one after the other under load, no request fails and a stream resumes', async () => {
  const since = new Date();
  const bearer = tenant.bearer.authorization.replace('Bearer ', '');
  const first = await openEventStream(`${proxy.url}/v1/events/stream`, bearer);
  const load = startLoad(proxy.url, tenant.key, senders);
  for (const [index, address] of addresses.entries()) {
    const { code } = await terminate({ name: 'api', process: apis[index]!.process });
    expect(code).toBe(0);
    apis[index] = await startApi(address);
    await apis[index].ready();
    await proxy.has(3);
  }
  const sent = await load.stop();
  const failed = sent.filter(({ result }) => result !== 202);
  const took = sent.map(({ beganAt, endedAt }) => endedAt - beganAt);
  process.stdout.write(
    `rolling restart of 3 apis: ${sent.length} sends, ${failed.length} failed, ${times(took)}\n`,
  );
  expect(failed).toEqual([]);
  expect(sent.length).toBeGreaterThan(500);
  const stored = await storedSince(since);
  expect([stored.size, new Set(stored.values())]).toEqual([sent.length, new Set([1])]);

  // Its api has ended, and said so by ending the stream.
  await first.ended();
  await using next = await openEventStream(`${proxy.url}/v1/events/stream`, bearer, first.lastId());
  expect(next.status).toBe(200);
  await sendText(proxy.url, tenant, 'after');
  await next.next();
});

test('when an api is killed under load, only requests that it had fail, and none is repeated', async () => {
  const since = new Date();
  const load = startLoad(proxy.url, tenant.key, senders);
  await until(async () => load.sent.length > 100);
  apis[1]!.process.kill('SIGKILL');
  await apis[1]!.ended();
  // Until then the kernel takes connections for it.
  const goneAt = performance.now();
  await proxy.has(2);
  const seen = load.sent.length;
  await until(async () => load.sent.length > seen + 100);
  const sent = await load.stop();
  const failed = sent.filter(({ result }) => result !== 202);
  process.stdout.write(`killed api: ${sent.length} sends, ${failed.length} failed\n`);
  expect(failed.length).toBeLessThanOrEqual(senders);
  expect(failed.filter(({ beganAt }) => beganAt > goneAt)).toEqual([]);
  const stored = await storedSince(since);
  expect(new Set(stored.values())).toEqual(new Set([1]));
  for (const { to } of sent.filter(({ result }) => result === 202)) expect(stored.has(to)).toBe(true);
  apis[1] = await startApi(addresses[1]!);
  await proxy.has(3);
});

test('a replica that is added gets requests, and one that is removed gets none', async () => {
  const added = await startApi('127.0.0.5');
  await added.ready();
  proxy.names.set([...addresses, '127.0.0.5']);
  await proxy.has(4);
  const load = startLoad(proxy.url, tenant.key, senders);
  const requests = async (): Promise<number> => {
    const page = await (await fetch(`${added.healthUrl}/metrics`)).text();
    const counts = page.matchAll(/^notify_http_requests_total\{[^}]*text[^}]*\} (\d+)$/gm);
    return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  };
  await until(async () => (await requests()) > 20);
  const { code } = await terminate({ name: 'api', process: added.process });
  proxy.names.set(addresses);
  const seen = load.sent.length;
  await until(async () => load.sent.length > seen + 50);
  const sent = await load.stop();
  expect([code, sent.filter(({ result }) => result !== 202)]).toEqual([0, []]);
});

test('a client cannot claim the address of another', async () => {
  const made = await ask('POST', `${proxy.url}/tenant/api-keys`, tenant.bearer, {
    name: 'narrow',
    allowedIps: ['203.0.113.9'],
  });
  const key = { 'x-api-key': made.body.key as string, 'x-forwarded-for': '203.0.113.9' };
  const answer = await ask('POST', `${proxy.url}/v1/notify/sms/text`, key, { to: '+15550001000', text: 'x' });
  expect([made.status, answer.status]).toEqual([201, 403]);
});
