import { type RunningProcess, type RunningRedis, startRedis, testWith } from '@notify/testkit';
import { sql } from 'kysely';
import {
  type Answer,
  ask,
  type Installation,
  openInstallation,
  password,
  registerTenant,
  sendText,
  type Tenant,
  terminate,
  times,
  until,
} from '../installation.ts';

const test = testWith('redis-server');

let redis: RunningRedis;
let at: Installation;
let running: RunningProcess[];
let api: string;
let tenant: Tenant;

beforeAll(async () => {
  redis = await startRedis();
  at = await openInstallation(redis.url);
  running = await Promise.all([at.start('api'), at.start('dispatch-worker'), at.start('webhook-worker')]);
  await Promise.all(running.map((one) => one.ready()));
  api = running[0]!.url;
  tenant = await registerTenant(api, at);
});

afterAll(async () => {
  await at?.close();
  await redis?.stop();
});

interface Client {
  readonly answers: ReadonlyMap<string, Answer>;
  stop(): Promise<void>;
}

/** A client that sends one message after the other, each under its own key, and nothing a second time. */
function startClient(): Client {
  const answers = new Map<string, Answer>();
  let stopped = false;
  const done = (async () => {
    while (!stopped) {
      const key = crypto.randomUUID();
      answers.set(key, await sendText(api, tenant, key));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    answers,
    stop() {
      stopped = true;
      return done;
    },
  };
}

/** One request of every sort: bearer, key, none; reading and writing. */
function askEverything(): Promise<Answer[]> {
  const { key, bearer, email } = tenant;
  return Promise.all([
    ask('GET', `${api}/v1/notify/messages/${crypto.randomUUID()}`, key),
    ask('POST', `${api}/v1/notify/sms/bulk`, key, { messages: [{ to: '+15550001000', text: 'x' }] }),
    ask('GET', `${api}/auth/me`, bearer),
    ask('GET', `${api}/v1/webhooks`, bearer),
    ask('POST', `${api}/auth/login`, {}, { email, password }),
    ask('POST', `${api}/auth/register`, {}, { name: 'x', email: `${crypto.randomUUID()}@a.org`, password }),
    ask('POST', `${api}/auth/refresh`, {}, { refreshToken: `rt_${'a'.repeat(43)}` }),
  ]);
}

/** How long a process gives itself to end, in ms, as it says when it is told to. */
function deadlineMs(lines: readonly string[]): number {
  const line = lines.find((one) => one.includes('"event":"shutting-down"'));
  return (JSON.parse(line!) as { deadlineMs: number }).deadlineMs;
}

const rows = async (table: string): Promise<number> =>
  (await sql`select 1 from ${sql.table(table)}`.execute(at.db)).rows.length;

/** Sends again, under the same keys, what was not accepted. */
async function retry(clients: readonly Client[]): Promise<void> {
  const keys = clients.flatMap(({ answers }) =>
    [...answers].flatMap(([key, { status }]) => (status === 202 ? [] : [key])),
  );
  for (const key of keys) expect((await sendText(api, tenant, key)).status).toBe(202);
}

interface Outage {
  readonly away: () => Promise<void>;
  readonly back: () => Promise<void>;
  /** How many refusals are awaited. */
  readonly refusals: number;
}

const outages: Readonly<Record<string, Outage>> = {
  'is stopped fast': { away: () => at.postgres.stop(), back: () => at.postgres.start(), refusals: 40 },
  'is stopped at once': {
    away: () => at.postgres.stop('immediate'),
    back: () => at.postgres.start(),
    refusals: 40,
  },
  'hangs on every connection': {
    away: () => at.postgres.freeze(),
    back: () => at.postgres.thaw(),
    refusals: 8,
  },
};

test.each(Object.keys(outages))(
  'Postgres %s: requests are answered 503, each message stays one, and all goes on by itself',
  async (name) => {
    const { away, back, refusals } = outages[name]!;
    const clients = Array.from({ length: 4 }, startClient);
    const answers = (status: number) =>
      clients.flatMap((client) => [...client.answers.values()].filter((answer) => answer.status === status));
    await until(() => answers(202).length >= 20);
    await away();
    const others = await askEverything();
    await until(() => answers(503).length >= refusals);
    const health = await Promise.all(running.map(({ url }) => ask('GET', `${url}/readyz`)));
    await back();
    const backAt = performance.now();
    const since = (): number => Math.round(performance.now() - backAt);

    const accepted = answers(202).length;
    await until(() => answers(202).length > accepted);
    const acceptsAfterMs = since();
    await Promise.all(clients.map((client) => client.stop()));
    await retry(clients);
    await until(async () => (await rows('dispatch_due')) === 0);
    const sentAfterMs = since();
    await until(async () => (await rows('delivery_due')) === 0);

    const refused = [...answers(503), ...others];
    process.stdout.write(
      `Postgres ${name}: sends 503 after ${times(answers(503).map(({ ms }) => ms))}, others ${times(others.map(({ ms }) => ms))}; ` +
        `back: accepts after ${acceptsAfterMs} ms, all sent after ${sentAfterMs} ms, all told after ${since()} ms\n`,
    );
    for (const { status, headers, body } of refused)
      expect({ status, type: headers.get('content-type'), code: body.code }).toEqual({
        status: 503,
        type: 'application/problem+json; charset=utf-8',
        code: 'unavailable',
      });
    // 1 s from those that asked Postgres in vain, up to 3 s from those that waited behind them.
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[123]$/);
    expect(answers(202).length + answers(503).length).toBe(
      clients.reduce((sum, client) => sum + client.answers.size, 0),
    );
    expect(health.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(running.map(({ process: { exitCode, signalCode } }) => exitCode ?? signalCode)).toEqual([
      null,
      null,
      null,
    ]);
  },
);

test('over all of that each key is one message, and each message was sent once', async () => {
  const { rows: counts } = await sql<{ keys: number; sent: number }>`
    select (select count(*)::int from idempotency_keys) as keys,
      (select count(*)::int from messages where status = 'sent') as sent`.execute(at.db);
  const ledger = at.gateway.ledger();
  expect(counts).toEqual([{ keys: ledger.length, sent: ledger.length }]);
  expect(await rows('messages')).toBe(ledger.length);
  expect(ledger.filter(({ taken }) => taken !== 1)).toEqual([]);
});

test('SIGTERM while Postgres is away ends every process in time; what could not be settled is taken over later', async () => {
  const before = at.gateway.ledger().length;
  at.gateway.behave({ answer: 'take', latencyMs: 3_000 });
  for (let count = 0; count < 10; count += 1) await sendText(api, tenant, crypto.randomUUID());
  await at.gateway.when((ledger) => ledger.length === before + 10);
  await at.postgres.stop();
  const ended = await Promise.all(running.map(terminate));
  process.stdout.write(
    `SIGTERM while Postgres is away: ${ended.map(({ name, code, ms }) => `${name} ${String(code)} after ${ms} ms`).join(', ')}\n`,
  );
  for (const { code } of ended) expect([0, 1]).toContain(code);
  // Each has ended by its own clock, whatever Postgres does.
  for (const { lines } of running) expect(deadlineMs(lines)).toBeLessThan(10_000);
  expect(ended.find(({ name }) => name === 'dispatch-worker')?.code).toBe(1);
  await at.postgres.start();
  const leased = (await sql`select 1 from dispatch_due where claimed_by is not null`.execute(at.db)).rows;
  const sent = (await sql`select 1 from messages where status = 'sent'`.execute(at.db)).rows;
  expect(leased.length).toBeGreaterThan(0);
  expect(leased.length + sent.length).toBe(before + 10);
});
