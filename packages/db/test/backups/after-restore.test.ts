import type { Db } from '@notify/db/connection';
import { endLeases, failDue, inspect, listDue, markPossibleDuplicates } from '@notify/db/backups';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, message, send, settle } from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  tenant = await makeTenant(db);
});
afterAll(() => database[Symbol.asyncDispose]());

const now = async (): Promise<Date> => (await sql<{ now: Date }>`select now()`.execute(db)).rows[0]!.now;

test('every message that is due is marked, in batches, and a second time there is none', async () => {
  const ids = await send(db, tenant, 25);
  expect(await markPossibleDuplicates(db, await now(), 10)).toBe(25);
  for (const id of ids) expect(await message(db, id)).toMatchObject({ possible_duplicate: true });
  expect(await markPossibleDuplicates(db, await now(), 10)).toBe(0);
});

test('its status and what is told of it later say so', async () => {
  const [id] = await send(db, tenant);
  await markPossibleDuplicates(db, await now());
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, accepted, { kind: 'sent' });
  expect(await message(db, id!)).toMatchObject({ status: 'sent', possible_duplicate: true });
  const { body } = await db
    .selectFrom('events')
    .select('body')
    .where('message_id', '=', id!)
    .where('event', '=', 'message.sent')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(body)).toMatchObject({ status: 'sent', possibleDuplicate: true });
});

test('what is due later, was sent before, or is accepted afterwards is not marked', async () => {
  const [later, sent] = await send(db, tenant, 2);
  await sql`update dispatch_due set due_at = now() + interval '1 minute' where message_id = ${later}`.execute(
    db,
  );
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, accepted, { kind: 'sent' });
  const restored = await now();
  const [after] = await send(db, tenant);
  expect(await markPossibleDuplicates(db, restored)).toBe(0);
  for (const id of [later, sent, after])
    expect(await message(db, id!)).toMatchObject({ possible_duplicate: false });
});

test('due messages of an account can be failed instead, in batches, and their events say so', async () => {
  const ids = await send(db, tenant, 25);
  const [later] = await send(db, tenant);
  await sql`update dispatch_due set due_at = now() + interval '1 minute' where message_id = ${later}`.execute(
    db,
  );
  const before = await now();
  const [after] = await send(db, tenant);
  expect(await failDue(db, tenant.accountId, before, 10)).toBe(25);
  for (const id of ids)
    expect(await message(db, id)).toMatchObject({ status: 'failed', error_code: 'outcome-unknown' });
  for (const id of [later, after]) expect(await message(db, id!)).toMatchObject({ status: 'queued' });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events where event = 'message.failed' and message_id = any (${ids}::uuid[])`.execute(
    db,
  );
  expect(rows[0]!.count).toBe(25);
  expect(await failDue(db, tenant.accountId, before, 10)).toBe(0);
});

test('what was under way is in the way of nothing once the leases have ended', async () => {
  const [id] = await send(db, tenant);
  await claim(db, tenant);
  expect(await failDue(db, tenant.accountId, await now())).toBe(0);
  expect((await endLeases(db)).messages).toBeGreaterThan(0);
  expect(await failDue(db, tenant.accountId, await now())).toBe(1);
  expect(await message(db, id!)).toMatchObject({ status: 'failed', error_code: 'outcome-unknown' });
});

test('a receipt of the lost time corrects a message that was failed', async () => {
  const [id] = await send(db, tenant);
  await failDue(db, tenant.accountId, await now());
  const { accountId } = tenant;
  const stored = { accountId, messageId: id!, externalId: null, part: null, status: 'delivered' as const };
  await applyReceipts(db, { kind: 'ids', ids: await storeReceipts(db, [stored]) });
  expect(await message(db, id!)).toMatchObject({ status: 'delivered', error_code: null });
});

test('a scheduled message whose time came in the lost time is due as well', async () => {
  const ids = await send(db, tenant, 2);
  await sql`
    with moved as (delete from dispatch_due where message_id = any (${ids}::uuid[]) returning *)
    insert into scheduled_messages (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select message_id, account_id, tenant_id, bulk, due_at, expires_at from moved`.execute(db);
  await sql`update scheduled_messages set due_at = now() + interval '1 h' where message_id = ${ids[1]}`.execute(
    db,
  );
  const due = await listDue(db, await now());
  expect(due.filter(({ accountId }) => accountId === tenant.accountId)).toMatchObject([{ due: 1 }]);
  expect(await failDue(db, tenant.accountId, await now())).toBe(1);
  expect((await inspect(db)).checks.map(({ looked }) => looked)).not.toContainEqual(
    expect.objectContaining({ found: expect.objectContaining({ broken: 1 }) }),
  );
});
