import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import {
  addDeliveries,
  makeTenant,
  type Received,
  type Receiver,
  startReceiver,
  type TestDatabase,
  testDatabase,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { createClaimer } from '../src/delivery-claimer.ts';
import { leaseSlackMs } from '../src/deliver.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let http: HttpClient;
let webhookId: string;
let secret: string;
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
  ({ id: webhookId, secret } = await makeSealedWebhook(db, secrets, tenantId, receiver.url));
  await sql`update webhooks set pack_max_events = 100, pack_max_wait_ms = 0 where id = ${webhookId}`.execute(
    db,
  );
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

async function takeTurn(changes: Parameters<typeof turnDeps>[1] = {}): Promise<void> {
  const { lane } = await webhookRow(db, webhookId);
  await webhookTurn(webhookId, turnDeps({ db, http, secrets }, { lane, ...changes }));
}

const packOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as { id: string; events: { index: number }[] };
const due = () => db.selectFrom('delivery_due').selectAll().where('webhook_id', '=', webhookId).execute();

test('events go out in one post, signed as a whole', async () => {
  await addDeliveries(db, webhookId, 3);
  await takeTurn();
  expect(receiver.received).toHaveLength(1);
  const [post] = receiver.received;
  const { id, events } = packOf(post!);
  expect(events.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(post!.headers['webhook-id']).toBe(id);
  expect(id).toMatch(/^bat_/);
  expect(() =>
    new Webhook(secret).verify(post!.body.toString(), post!.headers as Record<string, string>),
  ).not.toThrow();
  expect(await due()).toEqual([]);
});

test('a failed post is repeated with the same id and contents', async () => {
  await addDeliveries(db, webhookId, 2);
  receiver.behave({ status: 500 });
  await takeTurn();
  await addDeliveries(db, webhookId, 1);
  await sql`update delivery_due set due_at = now() - interval '1 s' where webhook_id = ${webhookId} and attempts = 1`.execute(
    db,
  );
  await sql`update webhooks set paused_until = null where id = ${webhookId}`.execute(db);
  receiver.behave({ status: 200 });
  await takeTurn();
  // One at a time after a failure.
  await takeTurn();
  const [first, second, other] = receiver.received;
  expect(second!.body.toString()).toBe(first!.body.toString());
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(packOf(other!).events).toHaveLength(1);
});

test('a pack that is too large is cut until it fits, without a pause', async () => {
  await addDeliveries(db, webhookId, 5);
  receiver.behave((request) => ({ status: packOf(request).events.length > 1 ? 413 : 204 }));
  // A turn ends early on a busy machine, where slow posts take the webhook to the other lane. A pause would outlast all of these.
  for (let turns = 0; turns < 20 && (await due()).length > 0; turns += 1) await takeTurn();
  const posts = receiver.received.map(packOf);
  expect(
    posts
      .filter(({ events }) => events.length === 1)
      .map(({ events }) => events[0]!.index)
      .toSorted((a, b) => a - b),
  ).toEqual([0, 1, 2, 3, 4]);
  expect(posts).toHaveLength(9);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(9);
  expect(await due()).toEqual([]);
  expect(await webhookRow(db, webhookId)).toMatchObject({ failure_count: 0, is_active: true });
});

test('a worker that was frozen between claim and post begins none, and gives the pack back as it was', async () => {
  await addDeliveries(db, webhookId, 2);
  const claim = createClaimer(db, 'fast');
  let looks = 0;
  await takeTurn({
    // The time of the lease counts from before the claim.
    async claim(id, request) {
      looks += 1;
      if (looks > 1) return [];
      const claims = await claim(id, request);
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + leaseSlackMs);
      return claims;
    },
  });
  jest.restoreAllMocks();
  expect(receiver.received).toEqual([]);
  const [made] = await due();
  expect(made).toMatchObject({ claimed_by: null, attempts: 0, pack_id: expect.any(String) });
  await takeTurn();
  expect(receiver.received.map((post) => packOf(post).id)).toEqual([`bat_${made!.pack_id}`]);
});
