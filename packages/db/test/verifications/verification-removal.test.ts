import { lowestIdAt } from '@notify/core';
import { purgeTenants, removeOldVerifications } from '@notify/db/maintenance';
import { replaceLimits } from '@notify/db/verifications';
import { makeTenant, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { check, started, wrongCode } from './verifying.ts';

async function counts(db: Parameters<typeof started>[0]): Promise<number[]> {
  const tables = ['verifications', 'verification_limits', 'verification_counts'];
  const found = [];
  for (const table of tables) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(db);
    found.push(rows[0]!.count);
  }
  return found;
}

test('verifications go a month after their messages, and those of a deleted tenant at once', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const [gone, stays] = [await makeTenant(db), await makeTenant(db)];
  for (const tenant of [gone, stays]) {
    await check(db, tenant, await started(db, tenant), wrongCode);
    await replaceLimits(db, tenant.tenantId, 7, []);
  }
  expect(await counts(db)).toEqual([2, 2, 2]);
  expect(await removeOldVerifications(db, 90)).toBe(0);
  await sql`insert into tenant_purges (tenant_id) values (${gone.tenantId})`.execute(db);
  await purgeTenants(db);
  expect(await counts(db)).toEqual([1, 1, 1]);
  // Their ids tell their age.
  const before = new Date(Date.now() - 123 * 86_400_000);
  await sql`update verifications set id = ${lowestIdAt(before)}, created_at = ${before}`.execute(db);
  await sql`update verification_counts set hour = now() - interval '123 days'`.execute(db);
  expect(await removeOldVerifications(db, 90)).toBe(2);
  expect(await counts(db)).toEqual([0, 1, 0]);
});
