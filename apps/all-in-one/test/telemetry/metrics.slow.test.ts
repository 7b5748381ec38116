import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { processNames } from '@notify/core';
import {
  type OwnRedis,
  type RunningProcess,
  scrape,
  type Scraped,
  startOwnRedis,
  testWith,
} from '@notify/testkit';
import {
  type Installation,
  openInstallation,
  registerTenant,
  sendText,
  type Tenant,
  until,
} from '../installation.ts';

const test = testWith('redis-server');

let redis: OwnRedis;
let at: Installation;
let tenant: Tenant;
const running = new Map<string, RunningProcess>();
const of = (kind: string): RunningProcess => running.get(kind)!;

/** Scrapes what has happened until now: a process serves one text for a second. */
async function scrapeAnew(healthUrl: string): Promise<Scraped> {
  await wait(1_100);
  return scrape(healthUrl);
}

beforeAll(async () => {
  redis = await startOwnRedis();
  at = await openInstallation(redis.url);
  for (const kind of processNames) running.set(kind, await at.start(kind));
  await Promise.all([...running.values()].map((one) => one.ready()));
  tenant = await registerTenant(of('api').url, at);
});

afterAll(async () => {
  await at?.close();
  await redis?.remove();
});

test.each(processNames)('%s serves its metrics on its health port', async (kind) => {
  const { sum, samples } = await scrape(of(kind).healthUrl);
  expect(samples.find(({ name }) => name === 'notify_build_info')?.labels).toEqual({
    process: kind,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
  });
  expect(sum('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(sum('notify_db_pool_limit', { pool: `notify-${kind}` })).toBeGreaterThan(0);
  expect(sum('notify_db_pool_wait_seconds_count', { pool: `notify-${kind}` })).toBeGreaterThan(0);
  expect(sum('notify_queue_connected', { role: 'waker' })).toBe(1);
});

test('the public port of the api has none', async () => {
  const answer = await fetch(`${of('api').url}/metrics`);
  expect([answer.status, (await answer.text()).includes('notify_')]).toEqual([404, false]);
});

test('a message moves the counters on its way, and no label names its tenant', async () => {
  const before = await scrape(of('api').healthUrl);
  await sendText(of('api').url, tenant, 'order-1');
  await at.gateway.when((ledger) => ledger.length === 1);
  await until(() => at.receiver.received.length >= 2);
  const after = await scrapeAnew(of('api').healthUrl);
  const growth = (name: string, labels = {}) => after.sum(name, labels) - before.sum(name, labels);
  expect(growth('notify_accept_messages_total', { channel: 'sms', result: 'accepted' })).toBe(1);
  expect(growth('notify_http_requests_total', { status: '202', credential: 'api-key' })).toBe(1);
  expect(growth('notify_wakes_total', { kind: 'dispatch', result: 'sent' })).toBe(1);
  expect(growth('notify_wakes_total', { kind: 'webhooks', result: 'sent' })).toBe(1);
  const own = [tenant.id, tenant.email, tenant.key['x-api-key'], '15550001000', 'order-1', at.receiver.url];
  for (const kind of processNames) {
    const { text } = await scrape(of(kind).healthUrl);
    expect([kind, own.filter((word) => text.includes(word))]).toEqual([kind, []]);
  }
});

test('Redis that is away and back shows in every process', async () => {
  const every = async (name: string, labels: Record<string, string>, holds: (value: number) => boolean) =>
    (await Promise.all(processNames.map((kind) => scrape(of(kind).healthUrl)))).every(({ sum }) =>
      holds(sum(name, labels)),
    );
  await redis.stop();
  await until(() => every('notify_queue_connected', { role: 'waker' }, (value) => value === 0));
  await until(() => every('notify_queue_errors_total', { role: 'waker' }, (value) => value > 0));
  await sendText(of('api').url, tenant, 'order-2');
  await until(async () => {
    const { sum } = await scrape(of('api').healthUrl);
    return sum('notify_wakes_total', { kind: 'dispatch', result: 'failed' }) === 1;
  });
  await redis.start();
  await until(() => every('notify_queue_connected', { role: 'waker' }, (value) => value === 1));
  expect(await every('notify_queue_reconnects_total', { role: 'waker' }, (value) => value > 0)).toBe(true);
});

test('Postgres that is away counts as errors of that class', async () => {
  const errors = async () =>
    (await scrapeAnew(of('api').healthUrl)).sum('notify_db_statement_errors_total', { class: 'away' });
  const before = await errors();
  await at.postgres.stop();
  const { status } = await sendText(of('api').url, tenant, 'order-3');
  expect([status, (await errors()) > before]).toEqual([503, true]);
  await at.postgres.start();
});

test('an api whose health port is set and taken says so and ends', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const second = await at.start('api', { healthPort: port });
  await expect(second.ready()).rejects.toThrow(/EADDRINUSE/);
  other.close();
});

test('a queue in Postgres that is away and back shows in an api and a worker', async () => {
  const own = await openInstallation(null);
  const processes = [await own.start('api'), await own.start('webhook-worker')];
  await Promise.all(processes.map((one) => one.ready()));
  const connected = async (): Promise<number[]> =>
    Promise.all(
      processes.map(async ({ healthUrl }) => {
        // Nobody else wakes anything here; the look at readiness is what notices.
        await fetch(`${healthUrl}/readyz`);
        return (await scrape(healthUrl)).sum('notify_queue_connected');
      }),
    );
  expect(await connected()).toEqual([1, 2]); // a worker also takes turns
  await own.postgres.stop();
  await until(async () => (await connected()).every((count) => count === 0));
  await own.postgres.start();
  await until(async () => (await connected()).join() === '1,2');
  const { sum } = await scrape(processes[0]!.healthUrl);
  expect(sum('notify_queue_reconnects_total', { role: 'waker' })).toBeGreaterThan(0);
  await own.close();
});
