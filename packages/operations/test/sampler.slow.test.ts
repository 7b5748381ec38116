import type { Db } from '@notify/db/connection';
import { readSample } from '@notify/db/operations';
import { makeTenant, type TestDatabase, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import { exporters, handovers, holderOf, recordHandovers, sampled, steadyExporter } from './exporting.ts';
import { type Observed, startObserved } from './observed.ts';

/** After so long without a sign of life another process takes over: three periods. */
const leaseMs = 3_000;

/** Two workers, the first of which has sampled. What the database recorded of hand-overs begins before them. */
async function twoWorkers({
  db,
  url: databaseUrl,
}: TestDatabase): Promise<[holder: Observed, other: Observed]> {
  await recordHandovers(db);
  const first = await startObserved({ databaseUrl });
  await until(async () => (await exporters(first)).length === 1);
  return [first, await startObserved({ databaseUrl })];
}

/** When the lease was taken or renewed, in ms since 1970 by the database's clock; -Infinity once it is given up. */
async function heldAtMs(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from taken_at)::float8 * 1000 as ms from samples`.execute(db);
  return rows[0]!.ms;
}

test('one of two samples and exports, with the age at the scrape; figures are stored', async () => {
  await using test = await testDatabase();
  await makeTenant(test.db);
  const workers = await twoWorkers(test);
  // Longer than the lease, in which the other asks for it again and again.
  await steadyExporter(test.db, 20, ...workers);
  for (const silentMs of await handovers(test.db)) expect(silentMs).toBeGreaterThan(leaseMs);
  let values: Record<string, number> = {};
  await until(async () => {
    values = Object.assign({}, ...(await Promise.all(workers.map((worker) => worker.scrape(sampled)))));
    return (
      values['notify_processes{process="dispatch-worker"}'] === 2 && values['notify_sample_age_seconds']! < 3
    );
  });
  expect(values).toMatchObject({
    'notify_due{kind="messages",lane="fast"}': 0,
    'notify_due_oldest_seconds{kind="deliveries",lane="slow"}': 0,
    'notify_due_oldest_seconds{kind="groups",lane="fast"}': 0,
    'notify_waiting{kind="messages"}': 0,
    'notify_accounts{provider="sandbox",status="connected"}': 1,
    'notify_accounts_paused{provider="sandbox"}': 0,
    'notify_webhooks{state="failing"}': 0,
    notify_receipts_waiting: 0,
    'notify_processes{process="dispatch-worker"}': 2,
    notify_migrations_pending: 0,
    notify_sends_held_seconds: 0,
    'notify_partition_default_rows{table="events"}': 0,
  });
  expect(values['notify_partition_seconds_ahead{table="events"}']).toBeGreaterThan(14 * 86_400);

  const stored = async () => (await readSample(test.db))!;
  await until(async () => (await stored()).ageMs < 3_000);
  expect((await stored()).figures).toMatchObject({
    accounts: [{ provider: 'sandbox', count: 1 }],
    migrationsPending: 0,
  });
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('another takes over from a killed holder after three periods', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test);
  holder.process.kill('SIGKILL');
  await holder.ended();
  await until(async () => (await exporters(other)).length === 1);
  const silentMs = await handovers(test.db);
  expect(silentMs.length).toBeGreaterThan(0);
  for (const ms of silentMs) expect(ms).toBeGreaterThan(leaseMs);
  expect(await holderOf(test.db)).toBe(other.process.pid);
  await other.stop();
});

test('a holder whose queries take longer than the lease keeps it, and goes on exporting', async () => {
  await using test = await testDatabase();
  const workers = await twoWorkers(test);
  await test.db.transaction().execute(async (trx) => {
    // Three queries wait for it, each for 2 s.
    await sql`lock table channel_accounts in access exclusive mode`.execute(trx);
    // For 9 s: three leases.
    await steadyExporter(test.db, 45, ...workers);
  });
  for (const silentMs of await handovers(test.db)) expect(silentMs).toBeGreaterThan(leaseMs);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('a holder that ends in order hands over at once', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test);
  await holder.stop();
  // Given up, or the other's by now: nobody waits for its end.
  const isGivenUp = (await heldAtMs(test.db)) === -Infinity;
  expect(isGivenUp || (await holderOf(test.db)) === other.process.pid).toBe(true);
  await until(async () => (await exporters(other)).length === 1);
  await other.stop();
});

test('a holder that was suspended exports nothing when it resumes, not even at the first scrape', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test);
  holder.process.kill('SIGSTOP');
  await until(async () => (await exporters(other)).length === 1);
  const first = holder.scrape(sampled);
  holder.process.kill('SIGCONT');
  expect(await first).toEqual({});
  await steadyExporter(test.db, 20, holder, other);
  await Promise.all([holder.stop(), other.stop()]);
});

test('when a query fails, the age grows, the other values go on, and the log says it once', async () => {
  await using test = await testDatabase();
  const worker = await startObserved({ databaseUrl: test.url });
  const age = async (): Promise<number> =>
    (await worker.scrape(/^notify_sample_age_seconds/))['notify_sample_age_seconds'] ?? -1;
  await until(async () => (await age()) >= 0);
  await sql`alter table webhooks rename to webhooks_away`.execute(test.db);
  await until(async () => (await age()) > 4);
  await makeTenant(test.db);
  await until(
    async () =>
      (await worker.scrape(/^notify_accounts\{/))[
        'notify_accounts{provider="sandbox",status="connected"}'
      ] === 1,
  );
  // Others may fail, too, where a query takes longer than it may.
  const said = (what: string) =>
    worker.lines
      .filter((line) => line.includes(what))
      .filter((line) => (JSON.parse(line) as { query: string }).query === 'webhooks');
  await until(async () => said('sample query failed').length > 0);
  expect(said('sample query failed')).toHaveLength(1);
  expect((await readSample(test.db))!.figures.webhooks).toBeNull();

  await sql`alter table webhooks_away rename to webhooks`.execute(test.db);
  await until(async () => said('sample query succeeds again').length > 0);
  await until(async () => (await age()) < 3);
  expect(said('sample query failed')).toHaveLength(1);
  await worker.stop();
});

test('rows of processes that ended an hour ago are removed', async () => {
  await using test = await testDatabase();
  await sql`insert into processes (id, name, version, host, pid, started_at, seen_at) values
    (uuidv7(), 'api', '1', 'a', 1, now(), now() - interval '59 minutes'),
    (uuidv7(), 'api', '1', 'b', 2, now(), now() - interval '61 minutes')`.execute(test.db);
  const worker = await startObserved({ databaseUrl: test.url });
  const hosts = async (): Promise<string[]> =>
    (await test.db.selectFrom('processes').select('host').where('name', '=', 'api').execute()).map(
      ({ host }) => host,
    );
  await until(async () => (await hosts()).length === 1);
  expect(await hosts()).toEqual(['a']);
  // A kind of process that has died is seen as 0, not as absent.
  await until(
    async () => (await worker.scrape(/^notify_processes/))['notify_processes{process="api"}'] === 0,
  );
  await worker.stop();
});
