import { randomUUID } from 'node:crypto';
import { findMessageOf, mostCounted, readMessageFacts } from '@notify/db/explanations';
import { makeTenant, testDatabase, type TestDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { send as sendSome } from '../dispatching.ts';

let database: TestDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await makeTenant(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

async function send(own: TestTenant, bulk = false): Promise<string> {
  return (await sendSome(database.db, own, 1, bulk))[0]!;
}

/** Makes rows that are due before any other of the account, without messages. */
async function insertAhead(accountId: string, bulk: boolean, count: number): Promise<void> {
  await sql`
    insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select uuidv7(), ${accountId}::uuid, ${tenant.tenantId}::uuid, ${bulk}::bool,
      now() - interval '1 hour' + n * interval '1 ms', now() + interval '1 day'
    from generate_series(1, ${count}::int) n`.execute(database.db);
}

async function read(id: string, owner: Parameters<typeof readMessageFacts>[1] = 'anybody') {
  return readMessageFacts(database.db, owner, id);
}

test.each([0, 7, 2_500])('of %i messages before it, at most 1,000 are counted', async (count) => {
  const own = await makeTenant(database.db);
  const id = await send(own);
  await insertAhead(own.accountId, false, count);
  expect((await read(id))!.ahead).toEqual({ ofItsKind: Math.min(count, mostCounted), singles: 0 });
});

test('a bulk message has singles before it, and messages in work are not counted', async () => {
  const own = await makeTenant(database.db);
  const id = await send(own, true);
  await insertAhead(own.accountId, false, 5);
  await insertAhead(own.accountId, true, 3);
  await sql`update dispatch_due set claimed_by = ${randomUUID()}::uuid, claimed_until = now() + interval '1 minute'
    where message_id = (select message_id from dispatch_due where account_id = ${own.accountId}::uuid and bulk
      order by due_at limit 1)`.execute(database.db);
  expect((await read(id))!.ahead).toEqual({ ofItsKind: 2, singles: 5 });
});

test('times without an end are told apart from pauses', async () => {
  const own = await makeTenant(database.db);
  const id = await send(own);
  const account = async () => (await read(id))!.account!;
  expect(await account()).toMatchObject({ held: false, pausedUntil: null });
  await sql`update channel_accounts set paused_until = 'infinity' where id = ${own.accountId}::uuid`.execute(
    database.db,
  );
  expect(await account()).toMatchObject({ held: true, pausedUntil: null });
  await sql`update channel_accounts set paused_until = '2030-01-31T12:00:00Z' where id = ${own.accountId}::uuid`.execute(
    database.db,
  );
  expect(await account()).toMatchObject({ held: false, pausedUntil: new Date('2030-01-31T12:00:00Z') });
});

test('a database that does not know processes yet shows the message without them', async () => {
  const id = await send(await makeTenant(database.db));
  await sql`alter table processes rename to processes_away`.execute(database.db);
  try {
    expect((await read(id))!.processes).toEqual([]);
  } finally {
    await sql`alter table processes_away rename to processes`.execute(database.db);
  }
});

test('an opt-out of the recipient is seen', async () => {
  const own = await makeTenant(database.db);
  const id = await send(own);
  expect((await read(id))!.recipient.optedOut).toBe(false);
  await sql`insert into suppressions (account_id, recipient)
    select ${own.accountId}::uuid, ltrim(recipient, '+') from messages where id = ${id}::uuid`.execute(
    database.db,
  );
  expect((await read(id))!.recipient.optedOut).toBe(true);
});

test('a message is only read for its tenant, or for the operator', async () => {
  const id = await send(tenant);
  const stranger = await makeTenant(database.db);
  expect((await read(id, { tenantId: tenant.tenantId }))!.history.message.id).toBe(id);
  expect(await read(id, { tenantId: stranger.tenantId })).toBeNull();
  expect(await read(randomUUID())).toBeNull();
});

test('a message is found by its id and by that of an event', async () => {
  const id = await send(tenant);
  const event = await database.db
    .selectFrom('events')
    .select('id')
    .where('message_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(await findMessageOf(database.db, `msg_${id}`)).toBe(id);
  expect(await findMessageOf(database.db, id)).toBe(id);
  expect(await findMessageOf(database.db, `evt_${event.id}`)).toBe(id);
  expect(await findMessageOf(database.db, `msg_${event.id}`)).toBeNull();
  expect(await findMessageOf(database.db, 'wh_1')).toBeNull();
});
