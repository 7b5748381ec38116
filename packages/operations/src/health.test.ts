import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { type HealthServer, type Log, loadSettings, type Settings } from '@notify/runtime';
import type { ProcessName } from '@notify/core';
import { openHealth } from './health.ts';

let server: HealthServer | null = null;
const warnings: unknown[][] = [];
const log = { tell: (...line: unknown[]) => void warnings.push(line) } as unknown as Log;

afterEach(async () => {
  await server?.close();
  server = null;
  warnings.length = 0;
});

const settingsWith = (env: Record<string, string>): Settings =>
  loadSettings({
    NOTIFY_MODE: 'development',
    DATABASE_URL: 'postgres://127.0.0.1:1/postgres',
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRETS: `1:${randomBytes(32).toString('base64')}`,
    ...env,
  });

const open = async (name: ProcessName, env: Record<string, string>): Promise<HealthServer | null> =>
  (server = await openHealth({ name, settings: settingsWith(env), log, checks: {}, required: [] }));

/** Holds a port while `work` runs. The usual port may be another program's already. */
async function whileTaken(port: number, work: (port: number) => Promise<void>): Promise<void> {
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening').catch(() => undefined);
  await work(port || (other.address() as AddressInfo).port);
  other.close();
}

const usualPort = 3004;
const warning = ['metrics-port-taken', { port: usualPort }];

test('an api whose usual port is taken goes on without, and warns', () =>
  whileTaken(usualPort, async () => {
    expect(await open('api', {})).toBeNull();
    expect(warnings).toEqual([warning]);
  }));

test('an api whose public port is the usual one leaves it free', async () => {
  expect(await open('api', { PORT: String(usualPort) })).toBeNull();
  expect(warnings).toEqual([warning]);
});

test.each<ProcessName>(['api', 'dispatch-worker'])('a taken port that is set is an error: %s', (name) =>
  whileTaken(0, async (port) => {
    await expect(open(name, { HEALTH_PORT: String(port) })).rejects.toThrow(/EADDRINUSE.*: set HEALTH_PORT$/);
    expect(warnings).toEqual([]);
  }),
);

test('HEALTH_HOST is where it listens', async () => {
  await open('api', { HEALTH_PORT: '0', HEALTH_HOST: '::1', HOST: '127.0.0.1' });
  expect((await fetch(`http://[::1]:${server?.port}/metrics`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${server?.port}/metrics`)).rejects.toThrow('fetch failed');
});

test('METRICS=off leaves only the health checks', async () => {
  await open('dispatch-worker', { HEALTH_PORT: '0', METRICS: 'off' });
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${server?.port}${path}`)).status;
  expect([await status('/metrics'), await status('/healthz')]).toEqual([404, 200]);
});

test('METRICS_TOKEN closes the metrics, and not the health checks', async () => {
  await open('dispatch-worker', { HEALTH_PORT: '0', METRICS_TOKEN: 'a-token' });
  const url = `http://127.0.0.1:${server?.port}`;
  const authorization = 'Bearer a-token';
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}/metrics`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test.each([
  ['0.0.0.0', {}, true],
  ['0.0.0.0', { METRICS_TOKEN: 'a-token' }, false],
  ['0.0.0.0', { METRICS: 'off' }, false],
  ['127.0.0.1', {}, false],
])('metrics on %s with %j: a warning %s', async (host, env, isWarned) => {
  await open('dispatch-worker', { HEALTH_PORT: '0', HEALTH_HOST: host, ...env });
  expect(warnings).toEqual(isWarned ? [['metrics-open', { port: server?.port }]] : []);
});
