import { randomBytes } from 'node:crypto';
import { webhookWaitsMs } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { disableWebhook } from '@notify/db/webhooks';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { createPermits } from '@notify/turns';
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
import { leaseSlackMs, postDeadlineMs } from '../src/deliver.ts';
import type { WebhookDeps } from '../src/deps.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;
let receiver: Receiver;
let http: HttpClient;
let silence: Silence;
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
  silence = await beSilent();
});
afterAll(async () => {
  await silence.http.close();
  await silence.receiver.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  receiver = await startReceiver();
  http = openClient();
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

const openClient = () =>
  createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1.2.3', httpsOnly: true });

/** A turn of a webhook whose receiver never answers. */
interface Silence {
  readonly webhookId: string;
  readonly receiver: Receiver;
  readonly http: HttpClient;
  /** What each post to it may take, in ms. */
  readonly deadlinesMs: readonly number[];
  readonly turn: Promise<void>;
}

/** Begins the turn before the tests, so that the deadline of its posts passes while they run. */
async function beSilent(): Promise<Silence> {
  const receiver = await startReceiver();
  receiver.behave({ hang: true });
  const client = openClient();
  const deadlinesMs: number[] = [];
  const http: HttpClient = {
    ...client,
    request(request) {
      if (request.url === receiver.url) deadlinesMs.push(request.deadlineMs);
      return client.request(request);
    },
  };
  const { id } = await makeSealedWebhook(db, secrets, tenantId, receiver.url);
  await addDeliveries(db, id, 20);
  const turn = webhookTurn(id, turnDeps({ db, http, secrets }));
  await receiver.atLeast(8);
  return { webhookId: id, receiver, http, deadlinesMs, turn };
}

const deps = (changes: Partial<WebhookDeps> = {}) => turnDeps({ db, http, secrets }, changes);

const take = (id: string, changes: Partial<WebhookDeps> = {}) => webhookTurn(id, deps(changes));
const make = () => makeSealedWebhook(db, secrets, tenantId, `${receiver.url}/hook?a=b`);

async function attemptsOf(webhookId: string) {
  return db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute();
}
async function statesOf(webhookId: string) {
  const rows = await db
    .selectFrom('deliveries')
    .select('state')
    .where('webhook_id', '=', webhookId)
    .execute();
  return rows.map((row) => row.state);
}
async function waiting(webhookId: string) {
  const { rows } = await sql<{
    wait_ms: number;
    due_ms: number;
    attempts: number;
    claimed: boolean;
    lease_ms: number | null;
  }>`
    select extract(epoch from due_at - now())::float8 * 1000 as wait_ms, attempts,
      extract(epoch from due_at)::float8 * 1000 as due_ms,
      claimed_until is not null as claimed,
      extract(epoch from claimed_until - now())::float8 * 1000 as lease_ms
    from delivery_due where webhook_id = ${webhookId}`.execute(db);
  return rows;
}
/** The time of the database, in ms since 1970. */
async function databaseMs(): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from now())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]!.ms;
}
async function makeDue(webhookId: string): Promise<void> {
  await sql`update delivery_due set due_at = now() where webhook_id = ${webhookId}`.execute(db);
  await sql`update webhooks set paused_until = null where id = ${webhookId}`.execute(db);
}

test('a receiver that does not answer keeps no other one waiting', async () => {
  const { id } = await make();
  await addDeliveries(db, id, 20);
  await take(id, { http: silence.http });
  expect(receiver.received).toHaveLength(20);
  expect(await attemptsOf(silence.webhookId)).toEqual([]);
});

test('a delivery is one POST of the very bytes of the event, and leaves its attempt', async () => {
  const body = '{"event":"message.sent","to":"é😀","text":"\u2028"}';
  const { id } = await make();
  await addDeliveries(db, id, 1, () => body);
  await take(id);
  expect(receiver.received).toHaveLength(1);
  const { method, url, headers, body: bytes } = receiver.received[0]!;
  expect([method, url, bytes.toString()]).toEqual(['POST', '/hook?a=b', body]);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  expect(await statesOf(id)).toEqual(['delivered']);
  expect(await attemptsOf(id)).toMatchObject([{ number: 1, status: 200, error: null, answer: '' }]);
});

describe('a failure', () => {
  test('is tried again on the whole schedule, never early and at most 20 % late, and given up after the tenth', async () => {
    receiver.behave({ status: 500, body: 'x'.repeat(10_000) });
    const { id } = await make();
    await addDeliveries(db, id, 1);
    for (const [index, baseMs] of webhookWaitsMs.entries()) {
      const beganMs = await databaseMs();
      await take(id, { random: Math.random, lane: index === 0 ? 'fast' : 'slow' });
      const [row] = await waiting(id);
      expect(row).toMatchObject({ attempts: index + 1, claimed: false });
      expect(row!.due_ms - beganMs).toBeGreaterThanOrEqual(baseMs);
      expect(row!.wait_ms).toBeLessThanOrEqual(baseMs * 1.2);
      await makeDue(id);
    }
    expect(await statesOf(id)).toEqual([]);
    await take(id, { lane: 'slow' });
    expect(await statesOf(id)).toEqual(['failed']);
    expect(await waiting(id)).toEqual([]);
    const attempts = await attemptsOf(id);
    expect(attempts.map((attempt) => [attempt.number, attempt.status, attempt.answer?.length])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 500, 4_096]),
    );
    expect(await webhookRow(db, id)).toMatchObject({ failure_count: 10, lane: 'slow' });
  });

  test('is also an address that is not allowed, at once and without a connection', async () => {
    const strict = createHttpClient({ allowPrivate: false, allow: [], userAgent: 'test', httpsOnly: true });
    const { id } = await make();
    await addDeliveries(db, id, 1);
    await take(id, { http: strict });
    await strict.close();
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error: 'blocked', answer: null }]);
    expect(receiver.connections).toBe(0);
  });
});

describe('a turn', () => {
  test('posts everything that is due, at most 8 at once', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 60);
    // Long enough for eight to be under way at once on the slowest machine.
    receiver.behave({ delayMs: 200 });
    await take(id);
    expect(receiver.received).toHaveLength(60);
    expect(receiver.mostAtOnce).toBe(8);
    expect(new Set(await statesOf(id))).toEqual(new Set(['delivered']));
  });

  test('claims no more than it has permits for, for longer than a post may take', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 10);
    receiver.behave({ hang: true });
    const abort = new AbortController();
    const one = webhookTurn(id, deps(), { permits: createPermits(3), stopping: abort.signal });
    await receiver.atLeast(3);
    const leases = (await waiting(id)).flatMap(({ lease_ms: ms }) => ms ?? []);
    expect(leases).toHaveLength(3);
    for (const ms of leases) {
      expect(ms).toBeGreaterThan(postDeadlineMs);
      expect(ms).toBeLessThanOrEqual(postDeadlineMs + leaseSlackMs);
    }
    abort.abort();
    await receiver.close();
    await one;
  });

  test('claims nothing more once it is told to end, and finishes what is in flight', async () => {
    receiver.behave({ delayMs: 100 });
    const { id } = await make();
    await addDeliveries(db, id, 20);
    const abort = new AbortController();
    const turn = webhookTurn(id, deps(), { stopping: abort.signal });
    await receiver.next();
    abort.abort();
    await turn;
    expect(await statesOf(id)).toEqual(Array.from({ length: 8 }, () => 'delivered'));
    expect((await waiting(id)).map((row) => row.claimed)).toEqual(Array.from({ length: 12 }, () => false));
  });

  test('of a disabled webhook skips what came to it all the same', async () => {
    const { id } = await make();
    await disableWebhook(db, tenantId, id);
    await addDeliveries(db, id, 2);
    await take(id);
    expect(receiver.received).toEqual([]);
    expect(await statesOf(id)).toEqual(['skipped', 'skipped']);
  });
});

test('a receiver that never answers costs 10 s, whatever waits for it', async () => {
  const { webhookId, receiver: silent, deadlinesMs, turn } = silence;
  await turn;
  const attempts = await attemptsOf(webhookId);
  expect(attempts).toHaveLength(8);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(attempt.duration_ms).toBeGreaterThanOrEqual(9_990);
  }
  // The zoo shows that each post is over by then.
  expect(deadlinesMs).toEqual(Array(8).fill(10_000));
  expect(silent.received).toHaveLength(8);
  expect(await webhookRow(db, webhookId)).toMatchObject({ failure_count: 8, lane: 'slow' });
});
