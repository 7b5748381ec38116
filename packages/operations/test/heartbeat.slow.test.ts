import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { type KnownProcess, listProcesses, type ProcessFigures } from '@notify/db/operations';
import {
  openTestDb,
  ownDatabase,
  startOwnPostgres,
  startProcess,
  testDatabase,
  until,
} from '@notify/testkit';
import { migrate } from '@notify/db/maintenance';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import { startObserved } from './observed.ts';

async function processOf(db: Db, pid: number | undefined): Promise<KnownProcess | undefined> {
  return (await listProcesses(db)).find((one) => one.pid === pid);
}

test('a process is seen while it runs, and gone when it has ended in order', async () => {
  await using test = await testDatabase();
  const api = await startObserved({ databaseUrl: test.url, name: 'api' });
  const worker = await startObserved({ databaseUrl: test.url, name: 'webhook-worker' });
  await until(async () => (await listProcesses(test.db)).length === 2);

  expect(await processOf(test.db, worker.process.pid)).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'webhook-worker',
    version: '1.2.3',
    host: hostname(),
    health: worker.url.slice('http://'.length),
    isAlive: true,
    figures: {
      turns: expect.any(Array),
      permits: expect.any(Array),
      pools: expect.any(Array),
      perSecond: { requests: 0, accepted: 0, calls: 0, sent: 0, posts: 0 },
      eventLoopLagMs: expect.any(Number),
      memoryBytes: expect.any(Number),
    },
  });
  const first = (await processOf(test.db, api.process.pid))!.seenAt;
  await until(async () => (await processOf(test.db, api.process.pid))!.seenAt > first);

  await worker.stop();
  expect(await listProcesses(test.db)).toMatchObject([{ name: 'api' }]);
  await api.stop();
  expect(await listProcesses(test.db)).toEqual([]);
});

test('the figures of a worker are those of its metrics', async () => {
  await using test = await ownDatabase({ queue: true });
  const worker = await startProcess('dispatch-worker', {
    databaseUrl: test.url,
    redisUrl: null,
    dataDir: await mkdtemp(path.join(tmpdir(), 'notify-heartbeat-')),
    env: { MAX_CALLS_IN_FLIGHT: '7', DATABASE_CONNECTIONS: '6' },
  });
  await worker.ready();
  const figures = async (): Promise<ProcessFigures | undefined> =>
    (await processOf(test.db, worker.process.pid))?.figures;
  await until(async () => ((await figures())?.turns ?? []).length === 3);
  const { turns, permits, pools, memoryBytes } = (await figures())!;
  expect(turns).toMatchObject([
    { kind: 'dispatch', lane: 'fast', slots: expect.any(Number) },
    { kind: 'dispatch', lane: 'slow', slots: expect.any(Number) },
    { kind: 'groups', lane: 'fast', slots: expect.any(Number) },
  ]);
  expect(permits).toContainEqual({
    kind: 'dispatch',
    lane: 'fast',
    of: 'calls',
    limit: 7,
    inUse: 0,
    waiting: 0,
  });
  const pool = pools.find((one) => one.pool === 'notify-dispatch-worker')!;
  expect(pool.limit).toBeGreaterThanOrEqual(6);
  expect(pool.used + pool.idle).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(20_000_000);
  await worker.stop();
  expect(await listProcesses(test.db)).toEqual([]);
});

test('a process without a free connection is still seen', async () => {
  await using test = await testDatabase();
  const worker = await startObserved({ databaseUrl: test.url });
  worker.process.send('hold');
  const isUp = async (): Promise<boolean> => (await processOf(test.db, worker.process.pid)) !== undefined;
  await until(isUp);
  await sql`delete from processes`.execute(test.db);
  await until(isUp);
  const sampleAge = /^notify_sample_age_seconds/;
  await until(async () => Object.values(await worker.scrape(sampleAge)).some((age) => age < 1));
  expect(await processOf(test.db, worker.process.pid)).toMatchObject({ isAlive: true });
  worker.process.kill('SIGKILL');
  await worker.ended();
});

test('a killed process stays, and counts as ended after 15 s', async () => {
  await using test = await testDatabase();
  const worker = await startObserved({ databaseUrl: test.url, name: 'webhook-worker' });
  await until(async () => (await processOf(test.db, worker.process.pid)) !== undefined);
  worker.process.kill('SIGKILL');
  await worker.ended();
  expect(await processOf(test.db, worker.process.pid)).toMatchObject({ isAlive: true });
  await sql`update processes set seen_at = seen_at - interval '15 seconds'`.execute(test.db);
  expect(await processOf(test.db, worker.process.pid)).toMatchObject({ isAlive: false });
});

test.each([
  [0, 0],
  [600_000, 600],
  [-90_000, -90],
])('a clock that is %i ms off has a skew of %i s', async (clockOffMs, skew) => {
  await using test = await testDatabase();
  const worker = await startObserved({ databaseUrl: test.url, name: 'webhook-worker', clockOffMs });
  await until(async () => (await processOf(test.db, worker.process.pid)) !== undefined);
  const measured = async (): Promise<number> =>
    (await worker.scrape(/^notify_clock_skew_seconds/))['notify_clock_skew_seconds']!;
  await until(async () => (await measured()) !== 0);
  expect(Math.abs((await measured()) - skew)).toBeLessThan(0.5);
  await worker.stop();
});

test('a process is told the levels of its logs that are in force', async () => {
  await using test = await testDatabase();
  const level = { level: 'debug', until: sql<Date>`now() + interval '1 hour'` };
  await test.db
    .insertInto('log_levels')
    .values([
      { ...level, process: 'webhook-worker', component: null, created_at: sql`now() - interval '1 second'` },
      { ...level, process: 'api', component: null, level: 'fatal' },
      { ...level, process: null, component: 'webhooks', level: 'trace' },
      { ...level, process: null, component: 'over', until: sql`now()` },
    ])
    .execute();
  const worker = await startObserved({ databaseUrl: test.url, name: 'webhook-worker' });
  const told = (): string | undefined => worker.lines.find((line) => line.includes('log-levels-changed'));
  await until(async () => told() !== undefined);
  expect(JSON.parse(told()!)).toMatchObject({ detail: 'debug,webhooks=trace' });
  await worker.stop();
});

test('a process outlives an outage of the database, says so once, and shows the age of its heartbeat', async () => {
  const server = await startOwnPostgres();
  const db = openTestDb(server.url);
  try {
    await migrate(db);
    const worker = await startObserved({ databaseUrl: server.url });
    await until(async () => (await processOf(db, worker.process.pid)) !== undefined);
    await until(async () => Object.keys(await worker.scrape(/^notify_sample_age_seconds/)).length === 1);
    await server.stop('killed');
    const age = async (): Promise<number> =>
      (await worker.scrape(/^notify_heartbeat_age_seconds/))['notify_heartbeat_age_seconds']!;
    await until(async () => (await age()) > 11);
    const said = (text: string): number => worker.lines.filter((line) => line.includes(text)).length;
    expect(said('heartbeat not stored')).toBe(1);
    expect(said('no sample taken')).toBe(1);
    // Nobody can renew the lease, so the values are dropped when it ends.
    expect(await worker.scrape(/^notify_(sample_age|due|waiting|accounts|receipts_waiting)/)).toEqual({});

    await server.start();
    await until(async () => (await age()) < 5);
    await until(async () => Object.keys(await worker.scrape(/^notify_sample_age_seconds/)).length === 1);
    expect(said('heartbeats are stored again')).toBe(1);
    expect(await processOf(db, worker.process.pid)).toMatchObject({ isAlive: true });
    await worker.stop();
    expect(await processOf(db, worker.process.pid)).toBeUndefined();
  } finally {
    await db.destroy();
    await server.remove();
  }
});

test('an end without a database takes no longer than with one', async () => {
  await using test = await ownDatabase();
  const worker = await startObserved({ databaseUrl: test.url });
  await until(async () => (await processOf(test.db, worker.process.pid)) !== undefined);
  const blocker = openTestDb(test.url, { maxConnections: 1 });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const held = blocker.transaction().execute(async (trx) => {
    await sql`lock table processes, samples in access exclusive mode`.execute(trx);
    await worker.stop();
    // By its own clock, it had done within 5 s: else it would have given up, with 1.
    expect(worker.process.exitCode).toBe(0);
    end();
  });
  await Promise.all([held, over]);
  await blocker.destroy();
});
