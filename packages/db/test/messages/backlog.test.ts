import { acceptMessages, countWaiting } from '@notify/db/messages';
import { deleteTenant } from '@notify/db/tenants';
import { makeTenant, type TestTenant, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { rules, send } from '../dispatching.ts';

test('what waits is counted over all accounts of a tenant, up to the bound, and goes with the tenant', async () => {
  await using database = await testDatabase();
  const { db } = database;
  const [tenant, other, idle] = [await makeTenant(db), await makeTenant(db), await makeTenant(db)];
  const second = await addTelegram(tenant);
  await send(db, tenant, 3);
  await acceptMessages(db, [textItem(second, { channel: 'telegram' }), textItem(tenant)], rules);
  await send(db, other, 2);

  expect(await countWaiting(db, tenant.tenantId, 100)).toBe(5);
  expect(await countWaiting(db, tenant.tenantId, 4)).toBe(4);
  expect(await countWaiting(db, other.tenantId, 100)).toBe(2);
  expect(await countWaiting(db, idle.tenantId, 100)).toBe(0);

  await deleteTenant(db, tenant.tenantId);
  expect(await countWaiting(db, tenant.tenantId, 100)).toBe(0);
  const { rows } = await sql<{ tenant_id: string }>`select tenant_id from dispatch_due`.execute(db);
  expect(rows.map((row) => row.tenant_id)).toEqual([other.tenantId, other.tenantId]);

  async function addTelegram(owner: TestTenant): Promise<TestTenant> {
    const { id } = await db
      .insertInto('channel_accounts')
      .values({
        id: sql`uuidv7()`,
        tenant_id: owner.tenantId,
        channel: 'telegram',
        provider: 'sandbox',
        name: 'second',
        is_default: true,
        settings: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...owner, accountId: id };
  }
});
