import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@notify/db/connection';
import {
  freePort,
  readMetrics,
  type RegisteredTenant,
  registerTenant,
  type RunningProcess,
  type Scraped,
  startProcess,
  startReceiver,
  startRedis,
  startSmsGateway,
  testDatabase,
  testWith,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';

const minute = 60_000;

/** Starts an api, two dispatch workers and a webhook worker. */
async function startAll(
  databaseUrl: string,
  redisUrl: string,
  ending: AsyncDisposableStack,
): Promise<RunningProcess[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-metrics-'));
  ending.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RECEIPT_WAIT_SECONDS: '1',
    DATABASE_CONNECTIONS: '5',
  };
  const options = { databaseUrl, redisUrl, dataDir, env };
  const api = await startProcess('api', { ...options, port });
  ending.defer(() => api.stop());
  await api.ready();
  const names = ['dispatch-worker', 'dispatch-worker', 'webhook-worker'] as const;
  const workers = await Promise.all(names.map((name) => startProcess(name, options)));
  for (const worker of workers) ending.defer(() => worker.stop());
  await Promise.all(workers.map((worker) => worker.ready()));
  return [api, ...workers];
}

/** What `/metrics` of each process answers. */
async function pages(processes: readonly RunningProcess[]): Promise<string[]> {
  const texts = processes.map(async ({ healthUrl }) => {
    const answer = await fetch(`${healthUrl}/metrics`);
    return answer.text();
  });
  return Promise.all(texts);
}

async function scrape(processes: readonly RunningProcess[]): Promise<Scraped> {
  return readMetrics(...(await pages(processes)));
}

/** What the metrics say of a run. */
async function counted(processes: readonly RunningProcess[]): Promise<object> {
  const read = await scrape(processes);
  const { '2xx': succeeded = 0, ...failed } = read.by('outcome', 'notify_webhook_posts_total');
  return {
    sandbox: read.by('status', 'notify_messages_total', { provider: 'sandbox' }),
    gateway: read.by('status', 'notify_messages_total', { provider: 'http-sms' }),
    failures: read.by('error_code', 'notify_message_failures_total'),
    calls: read.by('outcome', 'notify_provider_calls_total'),
    timed: read.sum('notify_provider_call_duration_seconds_count'),
    unknown: read.sum('notify_unknown_outcomes_total'),
    repeated: read.sum('notify_repeated_sends_total'),
    receipts: read.sum('notify_receipts_total', { result: 'applied' }),
    settled: read.by('kind', 'notify_settled_total'),
    inbound: read.by('result', 'notify_inbound_total', { provider: 'http-sms', kind: 'message' }),
    posts: { succeeded, failed },
    firstPosts: read.sum('notify_event_to_post_seconds_count'),
    toProvider: read.by('size', 'notify_time_to_provider_seconds_count'),
    toDelivered: read.sum('notify_time_to_delivered_seconds_count'),
  };
}

/** The same as the database has it. */
async function stored(db: Db): Promise<object> {
  const by = async (query: ReturnType<typeof sql<{ key: string; count: number }>>) =>
    Object.fromEntries((await query.execute(db)).rows.map(({ key, count }) => [key, count]));
  const one = async (query: ReturnType<typeof sql<{ count: number }>>) =>
    (await query.execute(db)).rows[0]!.count;
  const reached = (provider: string) =>
    by(sql`
    select substring(e.event from 9) as key, count(*)::int as count
    from events e join messages m on m.id = e.message_id join channel_accounts a on a.id = m.channel_account_id
    where a.provider = ${provider} and m.received_at is null and e.event <> 'message.queued' group by 1`);
  const calls = await by(sql`select outcome as key, count(*)::int as count from attempts group by 1`);
  const { succeeded = 0, ...failed } = await by(sql`
    select case when status < 300 then 'succeeded' else coalesce(left(status::text, 1) || 'xx', error) end as key,
      count(*)::int as count
    from delivery_attempts group by 1`);
  const attempts = await one(sql`select count(*)::int as count from attempts`);
  return {
    sandbox: await reached('sandbox'),
    gateway: await reached('http-sms'),
    failures: await by(sql`
      select error_code as key, count(*)::int as count from messages where status = 'failed' group by 1`),
    calls,
    timed: attempts,
    unknown: calls['unknown'],
    repeated: await one(sql`select count(*)::int as count from messages where possible_duplicate`),
    receipts: await one(sql`select sum(jsonb_array_length(reports))::int as count from messages`),
    settled: {
      // Two waits for a receipt ended, which are settled and are no attempts.
      messages:
        attempts + 2 * (await one(sql`select count(*)::int as count from messages where possible_duplicate`)),
      deliveries: succeeded + Object.values(failed).reduce((sum, count) => sum + count, 0),
    },
    inbound: {
      stored: await one(sql`select count(*)::int as count from messages where received_at is not null`),
      repeated: 1,
    },
    posts: { succeeded, failed },
    firstPosts: await one(sql`select count(*)::int as count from delivery_attempts where number = 1`),
    toProvider: await by(sql`
      select case when bulk then 'bulk' else 'single' end as key, count(*)::int as count
      from messages m where exists (select from attempts where message_id = m.id and outcome = 'accepted')
      group by 1`),
    toDelivered: await one(sql`select count(*)::int as count from messages where delivered_at is not null
      and received_at is null`),
  };
}

/** Whether nothing is left to do but what waits for a later time, or for the next probe of a failing webhook. */
async function isQuiet(db: Db): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from dispatch_due) or exists (select from receipts)
      or exists (select from delivery_due d join webhooks w on w.id = d.webhook_id
        where d.claimed_by is not null or d.due_at <= now() and coalesce(w.paused_until <= now(), true)) as open`.execute(
    db,
  );
  return !rows[0]!.open;
}

async function sendAll(tenant: RegisteredTenant, sandboxId: string, gatewayId: string): Promise<void> {
  const to = (ending: string) => `+491511234${ending}`;
  const single = (channelAccountId: string, ending: string) =>
    tenant.send('sms/text', { to: to(ending), text: 'Hello', channelAccountId });
  // Accepted, rejected, failing twice, never answered, reported as undelivered.
  for (const ending of ['1000', '0001', '0002', '0003', '0004']) await single(sandboxId, ending);
  for (let sent = 0; sent < 10; sent += 1) await single(gatewayId, `20${10 + sent}`);
  const messages = Array.from({ length: 10 }, (_, index) => ({
    to: to(`30${10 + index}`),
    text: 'Hello',
    channelAccountId: gatewayId,
  }));
  await tenant.send('sms/bulk', { messages });
}

/** What is back at 0 when nothing is left to do. */
const underWay = ['notify_turns_running', 'notify_permits_in_use', 'notify_settlements_waiting'];

testWith('redis-server')(
  'a run counts what the database has: statuses, failures, unknown outcomes, receipts, posts',
  async () => {
    await using ending = new AsyncDisposableStack();
    const { db, url: databaseUrl } = ending.use(await testDatabase());
    const redis = await startRedis();
    ending.defer(() => redis.stop());
    const gateway = ending.use(await startSmsGateway());
    // Reports each delivery twice.
    gateway.behave({ answer: 'take', reports: ['delivered', 'delivered'] });
    const receiver = ending.use(await startReceiver());
    const processes = await startAll(databaseUrl, redis.url, ending);
    const tenant = await registerTenant(processes[0]!.url);
    const account = await tenant.post('/v1/channel-accounts', {
      provider: 'http-sms',
      name: 'gateway',
      settings: gateway.settings,
    });
    const again = await tenant.post('/v1/channel-accounts', {
      provider: 'sandbox',
      name: 'again',
      settings: { channel: 'sms', onUnknownOutcome: 'at-least-once' },
    });
    receiver.behave(({ url }) => ({ status: url === '/broken' ? 500 : 200 }));
    for (const url of [`${receiver.url}/works`, `${receiver.url}/broken`, 'http://127.0.0.1:9/'])
      await tenant.post('/v1/webhooks', { url });
    gateway.setIncoming(account.callbackUrl);
    await sendAll(tenant, again.id, account.id);
    for (const id of ['first', 'second', 'second'])
      await gateway.write({ id, from: '+4915112340000', text: 'Hi' });
    await until(() => isQuiet(db), minute);
    await until(async () => isDeepStrictEqual(await counted(processes), await stored(db))).catch(
      () => undefined,
    );

    expect(await counted(processes)).toEqual(await stored(db));
    const read = await scrape(processes);
    expect(read.by('status', 'notify_messages_total', { provider: 'http-sms' })).toEqual({
      sent: 20,
      delivered: 20,
    });
    expect(read.by('error_code', 'notify_message_failures_total')).toEqual({
      'recipient-rejected': 1,
      'outcome-unknown': 1,
      undelivered: 1,
    });
    expect(read.sum('notify_repeated_sends_total')).toBe(1);
    expect(read.sum('notify_settlement_batches_total', { result: 'failed' })).toBe(0);
    expect(read.by('state', 'notify_claimed_total', { kind: 'dispatch' })).toMatchObject({
      'without-receipt': 2,
    });
    expect(read.sum('notify_turns_total', { kind: 'dispatch', end: 'done' })).toBeGreaterThan(0);
    // A turn ends a moment after its work is committed, and another may look for more.
    await until(async () => {
      const now = await scrape(processes);
      return underWay.every((name) => now.sum(name) === 0);
    });
    // No recipient, text or URL, and no id. A value may have any digits, and the operator's Postgres servers have names.
    for (const page of await pages(processes))
      expect(
        page.replaceAll(/^([^#].*) \S+$/gm, '$1').replaceAll(/^notify_db_server_current\{.*/gm, ''),
      ).not.toMatch(/4915|Hello|127\.0|works|[0-9a-f]{8}-[0-9a-f]{4}-/);
  },
  3 * minute,
);
