import type { Db } from '@notify/db/connection';
import { markPossibleDuplicates } from '@notify/db/maintenance';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, message, send, settle } from './dispatching.ts';

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
