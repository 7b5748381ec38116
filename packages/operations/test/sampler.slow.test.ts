import type { Db } from '@notify/db/connection';
import { readSample } from '@notify/db/operations';
import { makeTenant, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import { type Observed, startObserved } from './observed.ts';

const sampled =
  /^notify_(sample_age_seconds|due|due_oldest_seconds|waiting|accounts|accounts_paused|webhooks|receipts_waiting|linked_device_accounts|processes|migrations_pending|sends_held_seconds|partition_seconds_ahead|partition_default_rows)[ {]/;

async function exporters(...workers: readonly Observed[]): Promise<Observed[]> {
  const scrapes = await Promise.all(workers.map((worker) => worker.scrape(sampled)));
  return workers.filter((_, index) => Object.keys(scrapes[index]!).length > 0);
}

async function twoWorkers(databaseUrl: string): Promise<[holder: Observed, other: Observed]> {
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

async function holderOf(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`
    select p.pid from samples s join processes p on p.id = s.taken_by`.execute(db);
  return rows[0]?.pid;
}

test('one of two samples and exports, with the age at the scrape; figures are stored', async () => {
  await using test = await testDatabase();
  await makeTenant(test.db);
  const [holder, other] = await twoWorkers(test.url);
  for (let looks = 0; looks < 20; looks += 1) {
    expect(await exporters(holder, other)).toEqual([holder]);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const values = await holder.scrape(sampled);
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
  const age = async () => (await holder.scrape(/^notify_sample_age_seconds/))['notify_sample_age_seconds'];
  await until(async () => (await age())! < 3);

  const stored = async () => (await readSample(test.db))!;
  await until(async () => (await stored()).ageMs < 3_000);
  expect((await stored()).figures).toMatchObject({
    accounts: [{ provider: 'sandbox', count: 1 }],
    migrationsPending: 0,
  });
  await Promise.all([holder.stop(), other.stop()]);
});

test('another takes over from a killed holder after three periods', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test.url);
  holder.process.kill('SIGKILL');
  await holder.ended();
  const lastMs = await heldAtMs(test.db);
  await until(async () => (await exporters(other)).length === 1);
  // The time of this renewal is not before the take-over.
  expect((await heldAtMs(test.db)) - lastMs).toBeGreaterThan(3_000);
  expect(await holderOf(test.db)).toBe(other.process.pid);
  await other.stop();
});

test('a holder whose queries take longer than the lease keeps it, and goes on exporting', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test.url);
  await test.db.transaction().execute(async (trx) => {
    // Three queries wait for it, each for 2 s.
    await sql`lock table channel_accounts in access exclusive mode`.execute(trx);
    const began = performance.now();
    while (performance.now() - began < 9_000) {
      expect(await exporters(holder, other)).toEqual([holder]);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  await Promise.all([holder.stop(), other.stop()]);
});

test('a holder that ends in order hands over at once', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test.url);
  await holder.stop();
  // Given up, or the other's by now: nobody waits for its end.
  const isGivenUp = (await heldAtMs(test.db)) === -Infinity;
  expect(isGivenUp || (await holderOf(test.db)) === other.process.pid).toBe(true);
  await until(async () => (await exporters(other)).length === 1);
  await other.stop();
});

test('a holder that was suspended exports nothing when it resumes, not even at the first scrape', async () => {
  await using test = await testDatabase();
  const [holder, other] = await twoWorkers(test.url);
  holder.process.kill('SIGSTOP');
  await until(async () => (await exporters(other)).length === 1);
  const first = holder.scrape(sampled);
  holder.process.kill('SIGCONT');
  expect(await first).toEqual({});
  for (let looks = 0; looks < 20; looks += 1) {
    expect(await exporters(holder, other)).toEqual([other]);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
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
  const failed = worker.lines.filter((line) => line.includes('sample query failed'));
  const queries = failed.map((line) => (JSON.parse(line) as { query: string }).query);
  expect(queries).toContain('webhooks');
  expect(new Set(queries).size).toBe(queries.length);
  expect((await readSample(test.db))!.figures.webhooks).toBeNull();

  await sql`alter table webhooks_away rename to webhooks`.execute(test.db);
  await until(async () => (await age()) < 3);
  expect(worker.lines.filter((line) => line.includes('sample query succeeds again'))).toHaveLength(
    queries.length,
  );
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
