import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Db, migrate, openDb } from '@notify/db';
import { prepareQueue } from '@notify/queue';
import {
  type OwnPostgres,
  type ProcessName,
  type Receiver,
  type RunningProcess,
  type SmsGateway,
  startOwnPostgres,
  startProcess,
  startReceiver,
  startSmsGateway,
} from '@notify/testkit';

/** The processes as production runs them, with a database, a gateway and a receiver that are theirs alone. */
export interface Installation {
  readonly postgres: OwnPostgres;
  readonly db: Db;
  readonly gateway: SmsGateway;
  readonly receiver: Receiver;
  /** Starts one more process, and does not wait until it is ready. */
  start(name: ProcessName): Promise<RunningProcess>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** Opens an installation in which no process runs yet. */
export async function openInstallation(
  redisUrl: string | null,
  env: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-installation-'));
  const postgres = await startOwnPostgres();
  const db = openDb(postgres.url);
  await migrate(db);
  await prepareQueue({ databaseUrl: postgres.url, redisUrl });
  const gateway = await startSmsGateway();
  const receiver = await startReceiver();
  const started: RunningProcess[] = [];
  return {
    postgres,
    db,
    gateway,
    receiver,
    async start(name) {
      const one = await startProcess(name, { databaseUrl: postgres.url, redisUrl, dataDir, env });
      started.push(one);
      return one;
    },
    async close() {
      await Promise.all(started.map((one) => one.stop()));
      await db.destroy();
      await gateway.stop();
      await receiver.close();
      await postgres.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An answer, and how long it took in ms. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly ms: number;
}

/** Asks once; rejects where no answer comes. */
export async function ask(method: string, url: string, headers = {}, body?: object): Promise<Answer> {
  const beganAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    ms: performance.now() - beganAt,
  };
}

/** A tenant as it knows itself. */
export interface Tenant {
  readonly email: string;
  readonly bearer: { readonly authorization: string };
  readonly key: { readonly 'x-api-key': string };
}

export const password = 'correct horse';

/** Registers a tenant that sends through the gateway, and whose events go to the receiver. */
export async function registerTenant(
  api: string,
  { gateway, receiver }: Installation,
  name = 'ann',
): Promise<Tenant> {
  const email = `${name}@example.com`;
  const registered = await ask('POST', `${api}/auth/register`, {}, { name, email, password });
  const { accessToken } = registered.body.data as { accessToken: string };
  const bearer = { authorization: `Bearer ${accessToken}` };
  const made = await ask('POST', `${api}/tenant/api-keys`, bearer, { name, rateLimitOverride: 10_000 });
  const account = { provider: 'http-sms', name, settings: gateway.settings };
  await ask('POST', `${api}/v1/channel-accounts`, bearer, account);
  await ask('POST', `${api}/v1/webhooks`, bearer, { url: receiver.url });
  return { email, bearer, key: { 'x-api-key': made.body.key as string } };
}

/** Sends a text under that idempotency key. */
export function sendText(api: string, { key }: Tenant, idempotencyKey: string): Promise<Answer> {
  const body = { to: '+15550001000', text: 'hello', idempotencyKey };
  return ask('POST', `${api}/v1/notify/sms/text`, key, body);
}

/** Waits until the condition holds; the test's own limit bounds it. */
export async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Median and largest of times in ms, for the report of a test. */
export function times(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const [median, most] = [sorted[sorted.length >> 1], sorted.at(-1)].map((each) => Math.round(each ?? NaN));
  return `median ${median} ms, max ${most} ms (${ms.length})`;
}
