import { until } from '@notify/testkit';
import { sql } from 'kysely';
import { type MessagingApp, messagingApp } from './messaging-app.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

/** How many sessions wait for a lock of another one. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db);
  return rows[0]!.count;
}

test('a tenant whose starts wait in the database leaves a place to others', async () => {
  const [busy, quiet] = [await service.tenant(), await service.tenant()];
  const start = (tenant: typeof busy, number: number) =>
    tenant.notify('post', '/verifications', { to: `+1555000${number}`, channel: 'sms' });
  await start(busy, 6_000).expect(202);
  const storm = await service.db.transaction().execute(async (trx) => {
    await sql`select from verification_counts where tenant_id = ${busy.tenantId} for update`.execute(trx);
    const starts = Array.from({ length: 8 }, async (_, index) => (await start(busy, 6_001 + index)).status);
    await until(async () => (await waitingForLocks()) >= 3);
    const answer = await start(quiet, 6_000);
    expect([answer.status, answer.body.status]).toEqual([202, 'pending']);
    return starts;
  });
  // Those that found no place in time did nothing.
  for (const status of await Promise.all(storm)) expect([202, 503]).toContain(status);
});
