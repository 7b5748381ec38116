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
import { Webhook } from 'standardwebhooks';
import type { WebhookDeps } from '../src/deps.ts';
import { makeSealedWebhook, newSecret } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;
let receiver: Receiver;
let http: HttpClient;
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  receiver = await startReceiver();
  http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1.2.3', httpsOnly: true });
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

const deps = (changes: Partial<WebhookDeps> = {}) => turnDeps({ db, http, secrets }, changes);

const take = (id: string, changes: Partial<WebhookDeps> = {}) => webhookTurn(id, deps(changes));
const make = (secret?: string) =>
  makeSealedWebhook(db, secrets, tenantId, `${receiver.url}/hook?a=b`, secret);

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
  const { rows } = await sql<{ wait_ms: number; attempts: number; claimed: boolean }>`
    select extract(epoch from due_at - now())::float8 * 1000 as wait_ms, attempts, claimed_until is not null as claimed
    from delivery_due where webhook_id = ${webhookId}`.execute(db);
  return rows;
}
async function makeDue(webhookId: string): Promise<void> {
  await sql`update delivery_due set due_at = now() where webhook_id = ${webhookId}`.execute(db);
  await sql`update webhooks set paused_until = null where id = ${webhookId}`.execute(db);
}

describe('a delivery', () => {
  const body = '{"event":"message.sent","to":"é😀","text":"\u2028"}';

  test('is one POST of the very bytes of the event, signed in both ways', async () => {
    const { id, secret } = await make();
    await addDeliveries(db, id, 1, () => body);
    const { event_id: eventId } = await db
      .selectFrom('delivery_due')
      .select('event_id')
      .where('webhook_id', '=', id)
      .executeTakeFirstOrThrow();
    await take(id);
    expect(receiver.received).toHaveLength(1);
    const { method, url, headers, body: bytes } = receiver.received[0]!;
    expect([method, url, bytes.toString()]).toEqual(['POST', '/hook?a=b', body]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Notify/1.2.3',
      'webhook-id': `evt_${eventId}`,
    });
    expect(headers['x-svc-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(new Webhook(secret).verify(bytes, headers as Record<string, string>)).toEqual(JSON.parse(body));
    expect(await statesOf(id)).toEqual(['delivered']);
    expect(await attemptsOf(id)).toMatchObject([{ number: 1, status: 200, error: null, answer: '' }]);
    expect(await webhookRow(db, id)).toMatchObject({ failure_count: 0, lane: 'fast' });
    expect((await webhookRow(db, id)).last_triggered_at).not.toBeNull();
  });

  test('is signed with both secrets while the older one is still valid', async () => {
    const { id, secret } = await make();
    const older = newSecret();
    const sealed = secrets.seal(older, { tenantId, table: 'webhooks', row: id, column: 'previous_secret' });
    await sql`update webhooks set previous_secret = ${sealed},
      previous_secret_until = now() + interval '1 hour' where id = ${id}`.execute(db);
    await addDeliveries(db, id, 1, () => body);
    await take(id);
    const { headers, body: bytes } = receiver.received[0]!;
    for (const key of [secret, older])
      expect(new Webhook(key).verify(bytes, headers as Record<string, string>)).toEqual(JSON.parse(body));
    expect(headers['x-svc-signature']).toMatch(/^sha256=[0-9a-f]{64},sha256=[0-9a-f]{64}$/);
  });
});

describe('a failure', () => {
  test('is tried again on the whole schedule, never early and at most 20 % late, and given up after the tenth', async () => {
    receiver.behave({ status: 500, body: 'x'.repeat(10_000) });
    const { id } = await make();
    await addDeliveries(db, id, 1);
    for (const [index, baseMs] of webhookWaitsMs.entries()) {
      await take(id, { random: Math.random, lane: index === 0 ? 'fast' : 'slow' });
      const [row] = await waiting(id);
      expect(row).toMatchObject({ attempts: index + 1, claimed: false });
      // The clock has gone on a little since the attempt was settled.
      expect(row!.wait_ms).toBeGreaterThan(baseMs - 2_000);
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

  test('waits as long as Retry-After asks', async () => {
    receiver.behave({ status: 429, headers: { 'retry-after': '600' } });
    const { id } = await make();
    await addDeliveries(db, id, 1);
    await take(id);
    const [row] = await waiting(id);
    expect(row!.wait_ms).toBeGreaterThan(590_000);
    expect(row!.wait_ms).toBeLessThanOrEqual(600_000);
  });

  test('is also a redirect, which nobody follows', async () => {
    await using canary = await startReceiver();
    receiver.behave({ status: 307, headers: { location: canary.url } });
    const { id } = await make();
    await addDeliveries(db, id, 1);
    await take(id);
    expect(await attemptsOf(id)).toMatchObject([{ status: 307 }]);
    expect(await waiting(id)).toMatchObject([{ attempts: 1 }]);
    expect(canary.connections).toBe(0);
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

  test('a success sets the count to 0', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 3);
    receiver.behave({ status: 503 });
    await take(id);
    expect(await webhookRow(db, id)).toMatchObject({ failure_count: 3, lane: 'slow' });
    receiver.behave({});
    await makeDue(id);
    await take(id, { lane: 'slow' });
    expect(await webhookRow(db, id)).toMatchObject({ failure_count: 0, failing_since: null, lane: 'fast' });
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

  test('claims no more than it has permits for', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 10);
    receiver.behave({ hang: true });
    const abort = new AbortController();
    const one = webhookTurn(id, deps(), { permits: createPermits(3), stopping: abort.signal });
    await receiver.atLeast(3);
    expect((await waiting(id)).filter((row) => row.claimed)).toHaveLength(3);
    abort.abort();
    await receiver.close();
    await one;
  });

  test('ends after 50 deliveries when others wait, and leaves the rest unclaimed', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 100);
    await webhookTurn(id, deps(), { othersWait: () => true });
    expect(receiver.received.length).toBeLessThan(60);
    expect((await waiting(id)).every((row) => !row.claimed)).toBe(true);
    await take(id);
    expect(receiver.received).toHaveLength(100);
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

  test('in the wrong lane does nothing', async () => {
    const { id } = await make();
    await addDeliveries(db, id, 1);
    await take(id, { lane: 'slow' });
    expect(receiver.received).toEqual([]);
    expect(await waiting(id)).toHaveLength(1);
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

test('a receiver that never answers costs 10 s, whatever waits for it, and nobody else anything', async () => {
  const hanging = await make();
  await using other = await startReceiver();
  const healthy = await makeSealedWebhook(db, secrets, tenantId, other.url);
  receiver.behave({ hang: true });
  await addDeliveries(db, hanging.id, 20);
  await addDeliveries(db, healthy.id, 20);
  const stuck = take(hanging.id);
  await receiver.atLeast(8);
  await take(healthy.id);
  expect(other.received).toHaveLength(20);
  expect(await attemptsOf(hanging.id)).toEqual([]);
  await stuck;
  const attempts = await attemptsOf(hanging.id);
  expect(attempts).toHaveLength(8);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(attempt.duration_ms).toBeGreaterThanOrEqual(9_990);
    expect(attempt.duration_ms).toBeLessThan(11_000);
  }
  expect(receiver.received).toHaveLength(8);
  expect(await webhookRow(db, hanging.id)).toMatchObject({ failure_count: 8, lane: 'slow' });
});
