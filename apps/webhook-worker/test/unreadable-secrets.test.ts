import { randomBytes } from 'node:crypto';
import { webhookWaitsMs } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createLog, createSecrets } from '@notify/runtime';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  type Receiver,
  startReceiver,
  type TestDatabase,
  testDatabase,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
/** Sealed with a key that nobody has any more. */
const lost = 'v9.bm90aGluZyB0aGF0IGNvdWxkIGJlIG9wZW5lZA';
let database: TestDatabase;
let db: Db;
let tenantId: string;
let receiver: Receiver;
let http: HttpClient;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
  receiver = await startReceiver();
  http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1.2.3', httpsOnly: true });
});
afterAll(async () => {
  await http.close();
  await receiver.close();
  await database[Symbol.asyncDispose]();
});

/** One turn of the webhook; answers what it logged. */
async function take(webhookId: string): Promise<string> {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, 'test', { write: (line) => void lines.push(line) });
  await webhookTurn(webhookId, turnDeps({ db, http, secrets }, { log }));
  return lines.join('');
}

test('without its secret nothing is posted: attempts fail, its tenant sees why, and it backs off', async () => {
  const id = await makeWebhook(db, tenantId, { url: receiver.url, secret: lost });
  await addDeliveries(db, id, 5);
  const logged = await take(id);
  expect(receiver.received).toEqual([]);
  const attempts = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('webhook_id', '=', id)
    .execute();
  expect(attempts).toMatchObject(
    Array.from({ length: 5 }, () => ({ number: 1, status: null, error: 'secret-unreadable', answer: null })),
  );
  expect(await webhookRow(db, id)).toMatchObject({ is_active: true, failure_count: 5, lane: 'slow' });
  const { rows } = await sql<{ waitMs: number }>`
    select extract(epoch from paused_until - now())::float8 * 1000 as "waitMs" from webhooks where id = ${id}`.execute(
    db,
  );
  expect(rows[0]!.waitMs).toBeGreaterThan(webhookWaitsMs[0]! - 2_000);
  expect(logged).toContain('webhook secret cannot be opened');
  expect(logged).toContain('master key version 9, which is not in MASTER_KEYS');
});

test('where only replaced secrets cannot be opened, the newest signs alone', async () => {
  const { id, secret } = await makeSealedWebhook(db, secrets, tenantId, receiver.url);
  await sql`update webhooks set previous_secret = ${lost}, previous_secret_until = now() + interval '1 hour'
    where id = ${id}`.execute(db);
  await db
    .insertInto('webhook_older_secrets')
    .values({
      id: crypto.randomUUID(),
      webhook_id: id,
      tenant_id: tenantId,
      secret: lost,
      until: sql<Date>`now() + interval '1 hour'`,
    })
    .execute();
  await addDeliveries(db, id, 1, () => '{"event":"message.sent"}');
  await take(id);
  const { headers, body } = await receiver.next();
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    event: 'message.sent',
  });
  expect(headers['x-svc-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
});
