import { claimMessages } from '@notify/db/dispatch';
import { claimDeliveries } from '@notify/db/webhooks';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  openTestDb,
  type TestDatabase,
  testDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import { claimAs } from '../attempts.ts';
import { claim, send } from '../dispatching.ts';

/* Claims of several turns in one statement. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const lease = { lane: 'fast', leaseMs: {} } as const;

test('several accounts are claimed for at once, each up to its own limit and by its own rules', async () => {
  const { db } = database;
  const tenants = await Promise.all(Array.from({ length: 5 }, () => makeTenant(db)));
  const sent = await Promise.all(tenants.map((tenant) => send(db, tenant, 6)));
  const [few, all, paced, paused, slow] = tenants.map((tenant) => tenant.accountId);
  await sql`update channel_accounts set per_second = 0.001 where id = ${paced}`.execute(db);
  await sql`update channel_accounts set paused_until = now() + interval '1 hour' where id = ${paused}`.execute(
    db,
  );
  await sql`update channel_accounts set lane = 'slow' where id = ${slow}`.execute(db);
  const wanted = new Map(
    tenants.map(({ accountId }) => [accountId, { limit: accountId === few ? 2 : 10, singlesSinceBulk: 0 }]),
  );
  const claims = await claimMessages(db, wanted, lease);
  const ids = (accountId: string) => claims.get(accountId)?.map((one) => one.messageId);
  expect(ids(few!)).toHaveLength(2);
  expect(sent[0]).toEqual(expect.arrayContaining(ids(few!)!));
  expect(ids(all!)!.toSorted()).toEqual(sent[1]!.toSorted());
  expect(ids(paced!)).toHaveLength(1);
  expect([paused, slow].map((account) => claims.has(account!))).toEqual([false, false]);
  expect(claims.get(all!)![0]!.account).toMatchObject({ id: all, tenantId: tenants[1]!.tenantId });
  expect((await claimMessages(db, wanted, lease)).has(paced!)).toBe(false);
});

test('bulk has its share of each account, whatever the others have waiting', async () => {
  const { db } = database;
  const [mixed, single] = [await makeTenant(db), await makeTenant(db)];
  await send(db, mixed, 10);
  await send(db, mixed, 10, true);
  await send(db, single, 10);
  const wanted = new Map([
    [mixed.accountId, { limit: 5, singlesSinceBulk: 0 }],
    [single.accountId, { limit: 5, singlesSinceBulk: 4 }],
  ]);
  const claims = await claimMessages(db, wanted, lease);
  const bulk = (accountId: string) => claims.get(accountId)!.filter((one) => one.bulk).length;
  expect([mixed, single].map(({ accountId }) => claims.get(accountId)!.length)).toEqual([5, 5]);
  expect([bulk(mixed.accountId), bulk(single.accountId)]).toEqual([1, 0]);
});

test('an account whose row another has locked holds up nobody', async () => {
  const { db } = database;
  const [held, free] = [await makeTenant(db), await makeTenant(db)];
  await sql`update channel_accounts set per_second = 1000 where id in (${held.accountId}, ${free.accountId})`.execute(
    db,
  );
  for (const tenant of [held, free]) await send(db, tenant, 3);
  const other = openTestDb(database.url, { maxConnections: 1 });
  await other.transaction().execute(async (trx) => {
    await sql`select from channel_accounts where id = ${held.accountId} for update`.execute(trx);
    const request = { limit: 10, singlesSinceBulk: 0 };
    const claims = await claimMessages(
      db,
      new Map([held, free].map(({ accountId }) => [accountId, request])),
      lease,
    );
    expect(Array.from(claims, ([id, list]) => [id, list.length])).toEqual([[free.accountId, 3]]);
  });
  expect(await claim(db, held)).toHaveLength(3);
  await other.destroy();
});

test('several webhooks are claimed for at once, each with its own room; a failing one is given its probe', async () => {
  const { db } = database;
  const { tenantId } = await makeTenant(db);
  const [busy, idle, narrow, failing] = await Promise.all(
    Array.from({ length: 4 }, () => makeWebhook(db, tenantId)),
  );
  for (const webhook of [busy!, idle!, narrow!, failing!]) await addDeliveries(db, webhook, 10);
  await sql`update webhooks set failure_count = 5 where id = ${failing}`.execute(db);
  expect(await claimAs(db, busy!, { limit: 6 })).toHaveLength(6);
  const wanted = new Map(
    [busy!, idle!, narrow!, failing!].map((id) => [
      id,
      { limit: id === narrow ? 1 : 8, inFlight: 0, settling: 0 },
    ]),
  );
  const claims = await claimDeliveries(db, wanted, { lane: 'fast', leaseMs: 15_000 });
  expect([busy, idle, narrow, failing].map((id) => claims.get(id!)?.length)).toEqual([2, 8, 1, 1]);
  expect(claims.get(failing!)![0]!.webhook).toMatchObject({ id: failing, probe: true });
  expect((await claimDeliveries(db, wanted, { lane: 'slow', leaseMs: 15_000 })).size).toBe(0);
});

test('what a turn has in flight counts, also where older deliveries have come since', async () => {
  const { db } = database;
  const { tenantId } = await makeTenant(db);
  const webhook = await makeWebhook(db, tenantId);
  await addDeliveries(db, webhook, 5);
  const first = await claimAs(db, webhook);
  const older = await addDeliveries(db, webhook, 100);
  await sql`update delivery_due set due_at = now() - interval '1 hour' where id = any (${older}::uuid[])`.execute(
    db,
  );
  expect(await claimAs(db, webhook, { inFlight: first.length })).toHaveLength(3);
});

test('what only waits for its settlement takes no place, and what others have in flight does', async () => {
  const { db } = database;
  const { tenantId } = await makeTenant(db);
  const webhook = await makeWebhook(db, tenantId);
  await addDeliveries(db, webhook, 30);
  expect(await claimAs(db, webhook, { limit: 5 })).toHaveLength(5);
  expect(await claimAs(db, webhook, { limit: 3 })).toHaveLength(3);
  expect(await claimAs(db, webhook)).toHaveLength(0);
  expect(await claimAs(db, webhook, { settling: 5 })).toHaveLength(5);
});
