import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { type NewReceipt, storeReceipts } from '@notify/db/receipts';
import { makeTenant, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { createReceipts } from '../src/receipts.ts';
import { scripted, testDeps } from './scripted.ts';

const notCalled = scripted(() => ({ kind: 'unknown', text: 'nobody calls it' }));

/** Messages of which the provider has reported the delivery. */
async function reported(db: Db, count: number): Promise<string[]> {
  const tenant = await makeTenant(db);
  const items = Array.from({ length: count }, () => textItem(tenant));
  const { results } = await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
  const ids = results.flatMap((result) => (result.kind === 'accepted' ? [result.message.id] : []));
  const receipts: NewReceipt[] = ids.map((messageId) => ({
    accountId: tenant.accountId,
    messageId,
    externalId: null,
    part: null,
    status: 'delivered',
  }));
  await storeReceipts(db, receipts);
  return ids;
}

/** Has every change of a message fail on this condition, which may name `new`. */
async function refuse(db: Db, condition: string, state: string): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as ${sql.lit(`
      begin
        if ${condition} then raise exception 'injected' using errcode = '${state}'; end if;
        return new;
      end`)}`.execute(db);
  await sql`create trigger refuse before update on messages for each row execute function refuse()`.execute(
    db,
  );
}

async function undelivered(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from messages where status <> 'delivered'`.execute(db);
  return rows.map((row) => row.id);
}

test.each(['22003', 'P0001', '57014'])(
  'a receipt that always fails with %s is postponed, and those behind it are applied',
  async (state) => {
    await using test = await testDatabase();
    const ids = await reported(test.db, 40);
    await refuse(test.db, `new.id = '${ids[5]}'`, state);
    const deps = testDeps(test.db, notCalled);
    await createReceipts(deps).applyDue();
    expect(await undelivered(test.db)).toEqual([ids[5]]);
    expect(deps.errors).toHaveLength(1);
    const { rows } = await sql`select 1 from receipts where apply_at > now()`.execute(test.db);
    expect(rows).toHaveLength(1);
  },
);

test('where every row may be refused, all receipts are applied in a few rounds', async () => {
  await using test = await testDatabase();
  await reported(test.db, 200);
  await refuse(test.db, 'random() < 0.02', '40P01');
  const receipts = createReceipts(testDeps(test.db, notCalled));
  await receipts.applyDue();
  await sql`update receipts set apply_at = now()`.execute(test.db);
  await receipts.applyDue();
  expect((await undelivered(test.db)).length).toBeLessThan(5);
});
