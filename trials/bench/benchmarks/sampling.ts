import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Db, openDb } from '@notify/db/connection';
import { beginRounds, type SampleFigures, takeSample } from '@notify/db/operations';
import { startProcess, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import openapi from '../../../openapi.json' with { type: 'json' };
import { usageOf } from '../environment/cpu.ts';
import type { Environment } from '../environment/environment.ts';
import { registerTenant } from '../environment/session.ts';
import { until } from '../environment/until.ts';
import { type Figure, plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const mostMessages = 1_000_000;
const tenants = 1_000;
const accountsEach = 10;
const deliveries = 100_000;
const samples = 10;
const scrapes = 200;
/** So that some scrapes meet a sample, which is taken every second. */
const betweenScrapesMs = 25;

/**
 * The time of a sample, by query, and of a scrape, with 1,000,000 messages of 10,000 accounts and 100,000 deliveries of
 * 1,000 webhooks waiting.
 */
export const sampling: Benchmark = {
  name: 'sampling',
  async run(environment, { rows }, say) {
    const count = Math.min(rows, mostMessages);
    await using database = await testDatabase();
    await loadBacklog(database.db, count);
    say(`${count} messages wait`);
    const sampled = await measureSamples(environment, database.url, say);
    // The worker below must not send them.
    await sql`update channel_accounts set paused_until = 'infinity'`.execute(database.db);
    return [
      ...sampled,
      ...(await scrapeWorker(environment, database.url, say)),
      ...(await scrapeApi(environment, database.url, say)),
    ];
  },
};

/** Half of the accounts and webhooks are in the slow lane; every third message is a single one. */
async function loadBacklog(db: Db, count: number): Promise<void> {
  await sql`
    with made as (
      insert into tenants (name, email, password_hash, trial_ends_at)
      select 'Test', n || '@example.com', 'x', now() + interval '1 day' from generate_series(1, ${tenants}::int) n
      returning id
    ),
    accounts as (
      insert into channel_accounts (id, tenant_id, channel, provider, name, settings, lane)
      select uuidv7(), made.id, 'sms', 'http-sms', 'test', '{}', case n % 2 when 0 then 'fast' else 'slow' end
      from made, generate_series(1, ${accountsEach}::int) n
    )
    insert into webhooks (id, tenant_id, url, events, secret, lane)
    select uuidv7(), id, 'https://example.com/', '{sent}', 'x', case when random() < 0.5 then 'fast' else 'slow' end
    from made`.execute(db);
  await sql`
    insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select uuidv7(), a.id, a.tenant_id, n % 3 > 0, now() - make_interval(secs => random() * 600), now() + interval '1 day'
    from generate_series(1, ${count}::int) n
    join (select id, tenant_id, row_number() over () as place from channel_accounts) a
      on a.place = 1 + n % ${tenants * accountsEach}::int`.execute(db);
  await sql`
    insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
    select uuidv7(), w.id, w.tenant_id, uuidv7(), now() - make_interval(secs => random() * 600), now()
    from generate_series(1, ${deliveries}::int) n
    join (select id, tenant_id, row_number() over () as place from webhooks) w on w.place = 1 + n % ${tenants}::int`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
}

async function measureSamples(
  { postgresPid }: Environment,
  url: string,
  say: (line: string) => void,
): Promise<Figure[]> {
  const db = openDb(url, { hot: true });
  const tookMs: Record<string, number[]> = {};
  const whole: number[] = [];
  const rounds = beginRounds();
  let figures: SampleFigures | null = null;
  const cpuBefore = usageOf([postgresPid]).cpuMs;
  for (let turn = 0; turn < samples; turn += 1) {
    const began = performance.now();
    const sample = await takeSample(db, rounds);
    whole.push(performance.now() - began);
    if (sample.failures.size > 0) throw new AggregateError([...sample.failures.values()], 'a query failed');
    for (const [query, ms] of Object.entries(sample.figures.tookMs)) (tookMs[query] ??= []).push(ms!);
    ({ figures } = sample);
  }
  await db.destroy();
  const cpuMs = (usageOf([postgresPid]).cpuMs - cpuBefore) / samples;
  say(
    `waiting ${JSON.stringify(figures?.messages?.waiting)}, lanes ${JSON.stringify(figures?.messages?.lanes)}`,
  );
  return [
    plain('sampling', 'a sample', whole, 'ms'),
    plain('sampling', "Postgres' CPU of a sample", [cpuMs], 'ms'),
    ...Object.entries(tookMs).map(([query, values]) => plain('sampling', `query: ${query}`, values, 'ms')),
  ];
}

async function scrapeWorker(
  { dir, env, redisUrl }: Environment,
  databaseUrl: string,
  say: (line: string) => void,
): Promise<Figure[]> {
  const worker = await startProcess('dispatch-worker', {
    databaseUrl,
    redisUrl,
    dataDir: dir,
    logFile: path.join(dir, 'sampling.log'),
    env: { ...env, SAMPLE_SECONDS: '1' },
  });
  try {
    await worker.ready();
    let text = '';
    await until('a sample among the metrics', async () => {
      text = await (await fetch(`${worker.url}/metrics`)).text();
      return /^notify_sample_age_seconds /m.test(text);
    });
    return await scrape('a worker', worker.url, say);
  } finally {
    await worker.stop();
  }
}

/** An api that has answered every operation, with a session and without: it has a series for each. */
async function scrapeApi(
  { dir, env, redisUrl }: Environment,
  databaseUrl: string,
  say: (line: string) => void,
): Promise<Figure[]> {
  const api = await startProcess('api', {
    databaseUrl,
    redisUrl,
    dataDir: dir,
    logFile: path.join(dir, 'sampling-api.log'),
    env,
  });
  try {
    await api.ready();
    const { token } = await registerTenant(api.url);
    const operations = Object.entries(openapi.paths).flatMap(([route, methods]) =>
      Object.keys(methods).flatMap((method) => (method === 'parameters' ? [] : { route, method })),
    );
    for (const { route, method } of operations)
      for (const authorization of ['', `Bearer ${token}`])
        await ask(`${api.url}${route}`, method, authorization);
    return await scrape('an api', api.healthUrl, say);
  } finally {
    await api.stop();
  }
}

/** Event streams end here, with their first bytes. */
async function ask(url: string, method: string, authorization: string): Promise<void> {
  const response = await fetch(url.replaceAll(/[{}]/g, ''), {
    method: method.toUpperCase(),
    headers: { authorization },
  });
  await response.body?.cancel();
}

async function scrape(whose: string, url: string, say: (line: string) => void): Promise<Figure[]> {
  const tookMs: number[] = [];
  let text = '';
  for (let turn = 0; turn < scrapes; turn += 1) {
    const began = performance.now();
    text = await (await fetch(`${url}/metrics`)).text();
    tookMs.push(performance.now() - began);
    await wait(betweenScrapesMs);
  }
  say(`a scrape of ${whose} has ${text.length} bytes`);
  const p99 = tookMs.toSorted((one, other) => one - other)[Math.floor(scrapes * 0.99)]!;
  return [
    plain('sampling', `a scrape of ${whose}`, tookMs, 'ms', { atMost: 20 }),
    plain('sampling', `p99 of a scrape of ${whose}`, [p99], 'ms', { atMost: 20 }),
  ];
}
