import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import {
  openTestDb,
  patiently,
  type OwnPostgres,
  type ProcessName,
  type ProcessOptions,
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
  start(name: ProcessName, options?: Pick<ProcessOptions, 'healthPort'>): Promise<RunningProcess>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** Opens an installation in which no process runs yet. Passwords cost little there, unless `env` says otherwise. */
export async function openInstallation(
  redisUrl: string | null,
  env: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-installation-'));
  const postgres = await startOwnPostgres();
  const db = openTestDb(postgres.url);
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
    async start(name, options) {
      const own = { databaseUrl: postgres.url, redisUrl, dataDir, env: { BCRYPT_COST: '4', ...env } };
      const one = await startProcess(name, { ...own, ...options });
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
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    ms: performance.now() - beganAt,
  };
}

/** Repeats a request while the answer is 503, as every client does. */
export function askPatiently(...question: Parameters<typeof ask>): Promise<Answer> {
  return patiently(() => ask(...question));
}

/** A tenant as it knows itself. */
export interface Tenant {
  /** As the database has it. */
  readonly id: string;
  readonly email: string;
  readonly bearer: { readonly authorization: string };
  readonly key: { readonly 'x-api-key': string };
}

export const password = 'correct horse';

/** Registers a tenant and makes it a key. */
export async function register(api: string, name: string): Promise<Tenant> {
  const email = `${name}@example.com`;
  const registered = await askPatiently('POST', `${api}/auth/register`, {}, { name, email, password });
  const { accessToken, user } = registered.body.data as { accessToken: string; user: { id: string } };
  const bearer = { authorization: `Bearer ${accessToken}` };
  const made = await askPatiently('POST', `${api}/tenant/api-keys`, bearer, {
    name,
    rateLimitOverride: 10_000,
  });
  const id = user.id.replace(/^ten_/, '');
  return { id, email, bearer, key: { 'x-api-key': made.body.key as string } };
}

/** Connects the tenant to a gateway; the account's id. */
export async function connect(
  api: string,
  { bearer }: Tenant,
  { settings }: SmsGateway,
  onUnknownOutcome = 'at-least-once',
): Promise<string> {
  const account = { provider: 'http-sms', name: 'gateway', settings: { ...settings, onUnknownOutcome } };
  const { status, body } = await askPatiently('POST', `${api}/v1/channel-accounts`, bearer, account);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id as string;
}

/** A tenant that sends through the installation's gateway, and whose events go to its receiver. */
export async function registerTenant(api: string, { gateway, receiver }: Installation): Promise<Tenant> {
  const tenant = await register(api, 'ann');
  await connect(api, tenant, gateway);
  await askPatiently('POST', `${api}/v1/webhooks`, tenant.bearer, { url: receiver.url });
  return tenant;
}

/** Sends a text under that idempotency key. */
export function sendText(api: string, { key }: Tenant, idempotencyKey: string): Promise<Answer> {
  const body = { to: '+15550001000', text: 'hello', idempotencyKey };
  return ask('POST', `${api}/v1/notify/sms/text`, key, body);
}

/** SIGTERM; how it ended, and after how many ms. */
export async function terminate({
  name,
  process,
}: Pick<RunningProcess, 'process'> & { readonly name: string }): Promise<{
  name: string;
  code: unknown;
  ms: number;
}> {
  const exit = once(process, 'exit');
  const beganAt = performance.now();
  process.kill('SIGTERM');
  const [code] = await exit;
  return { name, code, ms: Math.round(performance.now() - beganAt) };
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
