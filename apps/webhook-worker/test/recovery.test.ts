import { randomBytes } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import {
  addDeliveries,
  makeTenant,
  type Receiver,
  startReceiver,
  type TestDatabase,
  testDatabase,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let http: HttpClient;
let webhookId: string;
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  receiver = await startReceiver();
  http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  const { tenantId } = await makeTenant(db);
  ({ id: webhookId } = await makeSealedWebhook(db, secrets, tenantId, receiver.url));
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

/** One turn in the lane the webhook is in; returns how many posts arrived. */
async function takeTurn(client: HttpClient = http): Promise<number> {
  const before = receiver.received.length;
  const { lane } = await webhookRow(db, webhookId);
  const deps = turnDeps({ db, http: client, secrets }, { lane });
  await webhookTurn(webhookId, deps);
  return receiver.received.length - before;
}

/** Moves the webhook's whole world into the past, as if so much time had gone by. */
async function letPass(minutes: number): Promise<void> {
  const ago = sql`make_interval(mins => ${minutes}::int)`;
  await sql`update webhooks set paused_until = paused_until - ${ago}, failing_since = failing_since - ${ago}
    where id = ${webhookId}`.execute(db);
  await sql`update delivery_due set due_at = due_at - ${ago}, created_at = created_at - ${ago}
    where webhook_id = ${webhookId}`.execute(db);
}

const waiting = async () =>
  (await db.selectFrom('delivery_due').select('attempts').where('webhook_id', '=', webhookId).execute())
    .length;

test('an endpoint that was down for 10 minutes gets its 1,000 waiting events, ever more at once, each one time', async () => {
  receiver.behave({ status: 503 });
  await addDeliveries(db, webhookId, 1_000);
  // The first turn finds out; then there are probes, one at a time, for 10 minutes.
  const posts: number[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    posts.push(await takeTurn());
    await letPass(1);
  }
  expect((await webhookRow(db, webhookId)).probes).toBeGreaterThanOrEqual(3);
  expect(posts.slice(1).every((count) => count <= 1)).toBe(true);
  const burnt = receiver.received.length;
  expect(burnt).toBeLessThan(20);
  expect(await waiting()).toBe(1_000);

  const tried = receiver.received.length;
  receiver.behave({ status: 200, delayMs: 1 });
  await letPass(60);
  // One success lets it have two at once, in the fast lane; the successes of those let it have more.
  expect(await takeTurn()).toBe(1);
  expect(await webhookRow(db, webhookId)).toMatchObject({ at_once: 2, failure_count: 0, lane: 'fast' });
  while ((await waiting()) > 0) {
    await letPass(60);
    await takeTurn();
  }
  expect(receiver.mostAtOnce).toBeGreaterThan(2);
  expect(receiver.mostAtOnce).toBeLessThanOrEqual(8);
  const told = receiver.received.slice(tried).map((request) => request.headers['webhook-id']);
  expect(told).toHaveLength(1_000);
  expect(new Set(told).size).toBe(1_000);
  const states = await db
    .selectFrom('deliveries')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('webhook_id', '=', webhookId)
    .groupBy('state')
    .execute();
  expect(states).toEqual([{ state: 'delivered', count: 1_000 }]);
  expect(await webhookRow(db, webhookId)).toMatchObject({
    at_once: 8,
    failure_count: 0,
    probes: 0,
    lane: 'fast',
  });
});

test('a failure of the operator’s proxy is no attempt, and counts against nobody', async () => {
  await addDeliveries(db, webhookId, 1);
  const failure = { ok: false, error: 'proxy', text: 'gone', written: false, durationMs: 1 } as const;
  await takeTurn({ ...http, request: async () => failure });
  const { rows } = await sql<{ wait: number; attempts: number; claimed: boolean }>`
    select extract(epoch from due_at - now())::float8 as wait, attempts, claimed_until is not null as claimed
    from delivery_due where webhook_id = ${webhookId}`.execute(db);
  expect(rows).toMatchObject([{ attempts: 0, claimed: false }]);
  expect(rows[0]!.wait).toBeGreaterThan(2);
  expect(await webhookRow(db, webhookId)).toMatchObject({
    failure_count: 0,
    lane: 'fast',
    last_triggered_at: null,
  });
});
