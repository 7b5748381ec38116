import { randomBytes } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import type { DeliverySettlement } from '@notify/db/webhooks';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createLog, createSecrets } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import {
  addDeliveries,
  makeTenant,
  readMetrics,
  type Scraped,
  type Receiver,
  startReceiver,
  type TestDatabase,
  testDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import { createDeliverySettler } from '../src/settle.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const log = createLog({ logLevel: 'silent' }, 'test');

let database: TestDatabase;
let db: Db;
let tenantId: string;
let receiver: Receiver;
let http: HttpClient;

beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
  receiver = await startReceiver();
  http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1', httpsOnly: true });
  metrics.registry.resetMetrics();
});
afterEach(async () => {
  await http.close();
  await receiver.close();
  await database[Symbol.asyncDispose]();
});

const read = async (): Promise<Scraped> => readMetrics(await metrics.registry.metrics());
const settler = () => createDeliverySettler(db, log);

async function post(url: string, count: number): Promise<string> {
  const { id } = await makeSealedWebhook(db, secrets, tenantId, url);
  await addDeliveries(db, id, count);
  await webhookTurn(id, turnDeps({ db, http, secrets }, { settle: settler() }));
  return id;
}

test('posts count by how they ended, and as often as the database has attempts', async () => {
  await post(`${receiver.url}/works`, 5);
  receiver.behave({ status: 302, headers: { location: '/' } });
  await post(receiver.url, 1);
  receiver.behave({ status: 404 });
  await post(receiver.url, 1);
  receiver.behave({ status: 503 });
  await post(receiver.url, 1);
  await post('http://127.0.0.1:9/', 1);
  await post('ftp://example.com/', 1);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from delivery_attempts`.execute(
    db,
  );
  const all = await read();
  expect(all.by('outcome', 'notify_webhook_posts_total')).toEqual({
    '2xx': 5,
    '3xx': 1,
    '4xx': 1,
    '5xx': 1,
    refused: 1,
    blocked: 1,
  });
  expect(rows[0]!.count).toBe(10);
  expect(all.sum('notify_webhook_post_duration_seconds_count')).toBe(10);
  expect(all.sum('notify_settled_total', { kind: 'deliveries' })).toBe(10);
  expect(all.sum('notify_event_to_post_seconds_count', { lane: 'fast' })).toBe(10);
  expect(all.sum('notify_event_to_post_seconds_sum')).toBeGreaterThan(0);
});

test('only the first post of a delivery tells how long its event waited', async () => {
  receiver.behave({ status: 500 });
  const id = await post(receiver.url, 1);
  await sql`update delivery_due set due_at = now()`.execute(db);
  await sql`update webhooks set lane = 'fast', paused_until = null`.execute(db);
  receiver.behave({});
  await webhookTurn(id, turnDeps({ db, http, secrets }, { settle: settler() }));
  const all = await read();
  expect(all.by('outcome', 'notify_webhook_posts_total')).toEqual({ '5xx': 1, '2xx': 1 });
  expect(all.sum('notify_event_to_post_seconds_count')).toBe(1);
});

test('a delivery taken over from another process counts as such, and the late end of the other as a lost lease', async () => {
  const { id } = await makeSealedWebhook(db, secrets, tenantId, receiver.url);
  await addDeliveries(db, id, 2);
  const late: DeliverySettlement[] = [];
  const hanging = turnDeps({ db, http, secrets }, { settle: async (one) => void late.push(one) });
  await webhookTurn(id, hanging);
  await sql`update delivery_due set claimed_until = now() - interval '1 second'`.execute(db);
  receiver.behave({ status: 500 });
  await webhookTurn(id, turnDeps({ db, http, secrets }, { settle: settler() }));
  await Promise.all(late.map((one) => settler()(one, Infinity)));
  const all = await read();
  expect(all.by('state', 'notify_claimed_total')).toEqual({ call: 2, 'taken-over': 2 });
  expect(all.by('kind', 'notify_leases_lost_total')).toEqual({ deliveries: 2 });
  expect(all.sum('notify_settled_total')).toBe(4);
});
