import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import type { Checkpoint } from '@notify/runtime';
import {
  freePort,
  moduleOf,
  type RunningProcess,
  type SmsGateway,
  startProcess,
  startRedis,
  startSmsGateway,
  testDatabase,
  untilKilled,
} from '@notify/testkit';

const hangMs = 300_000;
const to = '+4915112345678';

let stack: AsyncDisposableStack;
let db: Db;
let gateway: SmsGateway;
let survivor: RunningProcess;
let start: (name: 'api' | 'dispatch-worker', preload?: readonly string[]) => Promise<RunningProcess>;
let token: string;
let key: string;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-kills-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = stack.use(await testDatabase());
  db = database.db;
  const redis = await startRedis();
  stack.defer(() => redis.stop());
  gateway = stack.use(await startSmsGateway());
  gateway.behave({ answer: 'take', reports: [] });
  const port = await freePort();
  const env = { PUBLIC_URL: `http://127.0.0.1:${port}` };
  const options = { databaseUrl: database.url, redisUrl: redis.url, dataDir, env };
  start = async (name, preload = []) => {
    const one = await startProcess(name, { ...options, preload });
    stack.defer(() => one.stop());
    return one;
  };
  survivor = await startProcess('api', { ...options, port });
  stack.defer(() => survivor.stop());
  await Promise.all([survivor.ready(), (await start('dispatch-worker')).ready()]);
  const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
  token = (await ask<{ data: { accessToken: string } }>(survivor, '/auth/register', {}, ann)).data
    .accessToken;
  key = (await manage<{ key: string }>('/tenant/api-keys', { name: 'test' })).key;
}, hangMs);

afterAll(() => stack.disposeAsync(), hangMs);

async function ask<T>(of: RunningProcess, at: string, headers: object, body?: object): Promise<T> {
  const answer = await fetch(`${of.url}${at}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (answer.status === 503) return ask(of, at, headers, body);
  if (!answer.ok) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

const manage = <T>(at: string, body: object) =>
  ask<T>(survivor, at, { authorization: `Bearer ${token}` }, body);
const send = (of: RunningProcess, body: object) =>
  ask<{ id: string }>(of, '/v1/notify/sms/text', { 'x-api-key': key }, { to, text: 'Hello', ...body });

/** An api that ends when it gets to the checkpoint. */
async function doomed(checkpoint: Checkpoint): Promise<RunningProcess> {
  const api = await start('api', [moduleOf({ does: 'kill-at', checkpoint })]);
  await api.ready();
  return api;
}

async function untilStatus(id: string, status: string): Promise<void> {
  const look = () => ask<{ status: string }>(survivor, `/v1/notify/messages/${id}`, { 'x-api-key': key });
  while ((await look()).status !== status) await new Promise((resolve) => setTimeout(resolve, 50));
}

test.each(['accept-begun', 'accept-committed', 'accept-answered'] as const)(
  'an api is killed at %s and its client asks another: there is one message, and it is sent',
  async (checkpoint) => {
    const before = (await db.selectFrom('messages').select('id').execute()).length;
    const idempotencyKey = checkpoint;
    const api = await doomed(checkpoint);
    const first = send(api, { idempotencyKey }).catch(() => null);
    await untilKilled(api);
    const heard = await first;
    const { id } = await send(survivor, { idempotencyKey });
    expect([heard?.id ?? id, heard !== null]).toEqual([id, checkpoint === 'accept-answered']);
    await untilStatus(id, 'delivered');
    expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(before + 1);
  },
  hangMs,
);

test.each(['receipts-stored', 'receipts-joined'] as const)(
  'an api is killed at %s: the report it had taken counts all the same',
  async (checkpoint) => {
    const account = await manage<{ id: string; callbackUrl: string }>('/v1/channel-accounts', {
      provider: 'http-sms',
      name: checkpoint,
      settings: gateway.settings,
    });
    const { id } = await send(survivor, { channelAccountId: account.id });
    await untilStatus(id, 'sent');
    const api = await doomed(checkpoint);
    const at = new URL(account.callbackUrl).pathname;
    const reported = fetch(`${api.url}${at}?notify_id=${id.replace('msg_', '')}&status=delivered`);
    await Promise.allSettled([reported, untilKilled(api)]);
    await untilStatus(id, 'delivered');
    expect(await db.selectFrom('receipts').selectAll().execute()).toEqual([]);
  },
  hangMs,
);
