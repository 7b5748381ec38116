import { until } from '@notify/testkit';
import { sql } from 'kysely';
import { type Caller, type MessagingApp, messagingApp } from './messaging-app.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const group = { routes: [{ channel: 'sms', to: '+15550001000', text: 'Hello' }] };

function send(tenant: Caller, key: string) {
  return tenant.notify('post', '/send', group).set('Idempotency-Key', key);
}

/** How many sessions wait for a lock of another one. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db);
  return rows[0]!.count;
}

test('a tenant whose groups wait in the database leaves a place to others', async () => {
  const [busy, quiet] = [await service.tenant(), await service.tenant()];
  const keys = Array.from({ length: 8 }, (_, index) => `key ${index}`);
  for (const key of keys) await send(busy, key).expect(202);
  const storm = await service.db.transaction().execute(async (trx) => {
    await sql`select from idempotency_keys where tenant_id = ${busy.tenantId} for update`.execute(trx);
    const repeats = keys.map(async (key) => (await send(busy, key)).status);
    await until(async () => (await waitingForLocks()) >= 2);
    expect((await send(quiet, 'key')).status).toBe(202);
    return repeats;
  });
  // Those that found no place in time did nothing.
  for (const status of await Promise.all(storm)) expect([202, 503]).toContain(status);
});
