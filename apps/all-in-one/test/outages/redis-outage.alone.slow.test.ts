import { type OwnRedis, type RunningProcess, startOwnRedis, testWith } from '@notify/testkit';
import { sql } from 'kysely';
import {
  type Answer,
  ask,
  type Installation,
  openInstallation,
  registerTenant,
  sendText,
  type Tenant,
  terminate,
  times,
  until,
} from '../installation.ts';

const test = testWith('redis-server');

const messages = 60;

let redis: OwnRedis;
let at: Installation;
let running: RunningProcess[];
let api: string;
let tenant: Tenant;
let sent = 0;

beforeAll(async () => {
  redis = await startOwnRedis();
  at = await openInstallation(redis.url);
});

afterAll(async () => {
  await at?.close();
  await redis?.remove();
});

const ready = (): Promise<Answer[]> => Promise.all(running.map(({ url }) => ask('GET', `${url}/readyz`)));

/** Sends so many one after the other, and says how long that took each. */
async function sendAll(): Promise<number[]> {
  const took: number[] = [];
  for (let count = 0; count < messages; count += 1) {
    const { status, ms } = await sendText(api, tenant, crypto.randomUUID());
    expect(status).toBe(202);
    took.push(ms);
  }
  sent += messages;
  return took;
}

/** How long it takes, from now, until all that was accepted is sent, told and reported ready for more. */
async function untilAllFlowed(): Promise<number> {
  const beganAt = performance.now();
  await at.gateway.when((ledger) => ledger.length === sent);
  await until(async () => (await sql`select 1 from delivery_due`.execute(at.db)).rows.length === 0);
  const flowedMs = Math.round(performance.now() - beganAt);
  await until(async () => (await ready()).every(({ status }) => status === 200));
  return flowedMs;
}

function say(what: string, took: readonly number[], flowedMs: number): void {
  process.stdout.write(
    `Redis ${what}: 202 after ${times(took)}; back: all sent and told after ${flowedMs} ms\n`,
  );
}

test('processes that start while Redis is away come up, accept, and work as soon as it is there', async () => {
  await redis.stop();
  running = await Promise.all([at.start('api'), at.start('dispatch-worker'), at.start('webhook-worker')]);
  api = running[0]!.url;
  await running[0]!.ready();
  tenant = await registerTenant(api, at);
  const took = await sendAll();
  await until(async () => (await ready().catch(() => [])).length === 3);
  const health = await ready();
  await redis.start();
  say('away at the start', took, await untilAllFlowed());
  expect(health.map(({ status }) => status)).toEqual([200, 503, 503]);
  expect(health[0]!.body).toEqual({ status: 'degraded', checks: { postgres: 'ok', queue: 'degraded' } });
});

test('while Redis is away sends are accepted, and flow when it is back, though it has forgotten everything', async () => {
  await redis.stop();
  const took = await sendAll();
  const [health] = await ready();
  await redis.start({ empty: true });
  say('stopped and empty', took, await untilAllFlowed());
  expect([health!.status, health!.body.status]).toEqual([200, 'degraded']);
  expect(at.gateway.ledger().filter(({ taken }) => taken !== 1)).toEqual([]);
});

test('SIGTERM while Redis is away ends every process in time, with what it had in flight settled', async () => {
  at.gateway.behave({ answer: 'take', latencyMs: 2_000 });
  await sendAll();
  await at.gateway.when((ledger) => ledger.length >= sent - messages + 20);
  await redis.stop();
  const ended = await Promise.all(running.map(terminate));
  process.stdout.write(
    `SIGTERM while Redis is away: ${ended.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')}\n`,
  );
  for (const { code, ms } of ended) expect({ code, inTime: ms < 10_000 }).toEqual({ code: 0, inTime: true });
  const { rows } = await sql`select 1 from dispatch_due where claimed_by is not null`.execute(at.db);
  expect(rows).toEqual([]);
  const { rows: done } = await sql`select 1 from messages where status = 'sent'`.execute(at.db);
  expect(done).toHaveLength(at.gateway.ledger().length);
});
