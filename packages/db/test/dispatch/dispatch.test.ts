import type { Decision, Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { countDue, nextDue, overdueAccounts, releaseMessages, settleMessages } from '@notify/db/dispatch';
import { acceptMessages, failExpired, failRemoved } from '@notify/db/messages';
import { makeTenant, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import {
  accepted,
  claim,
  due,
  endLease,
  message,
  rules,
  send,
  settle,
  settlement,
  unknown,
} from '../dispatching.ts';

test('claims of one account never overlap, and a settled message is sent with its event', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const ids = await send(test.db, tenant, 30);
  const claims = (
    await Promise.all([claim(test.db, tenant), claim(test.db, tenant), claim(test.db, tenant)])
  ).flat();
  expect(new Set(claims.map((one) => one.messageId)).size).toBe(claims.length);
  expect(claims.length).toBe(30);
  await settleMessages(
    test.db,
    claims.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  expect(await message(test.db, ids[0]!)).toMatchObject({
    status: 'sent',
    external_id: 'ext-1',
    attempts: 1,
  });
  expect(await due(test.db, ids[0]!)).toBeUndefined();
  expect(await test.db.selectFrom('attempts').selectAll().execute()).toHaveLength(30);
});

test('a bulk message gets every fifth place while singles wait, and all places once they do not', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 20, true);
  await send(test.db, tenant, 20);
  const first = await claim(test.db, tenant);
  expect(first.filter((one) => one.bulk)).toHaveLength(2);
  const one = await claim(test.db, tenant, { limit: 1, singlesSinceBulk: 0 });
  expect(one[0]?.bulk).toBe(false);
  const fifth = await claim(test.db, tenant, { limit: 1, singlesSinceBulk: 4 });
  expect(fifth[0]?.bulk).toBe(true);
  await claim(test.db, tenant, { limit: 100 });
  expect(await claim(test.db, tenant)).toEqual([]);
});

test('a lease that ended with its attempt begun is taken over as an unknown outcome, and the first holder settles nothing', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [first] = await claim(test.db, tenant);
  expect(await claim(test.db, tenant)).toEqual([]);
  await endLease(test.db);
  const [second] = await claim(test.db, tenant);
  expect(second).toMatchObject({ state: 'taken-over', attempts: 1 });
  const rejected: Outcome = { kind: 'rejected', errorCode: 'x', text: 'x' };
  const late = await settle(test.db, first!, rejected, { kind: 'failed', errorCode: 'x', text: 'x' });
  expect(late.lost).toEqual([id]);
  expect((await message(test.db, id!)).status).toBe('queued');
  await settle(test.db, second!, unknown, { kind: 'resend', afterMs: 0, possibleDuplicate: true });
  expect(await claim(test.db, tenant)).toMatchObject([{ state: 'call', attempts: 2, resends: 1 }]);
  expect((await message(test.db, id!)).possible_duplicate).toBe(true);
});

test('being told to slow down pauses the account and burns no attempt; nothing is claimed until the pause ends', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant, 2);
  const [first, second] = await claim(test.db, tenant);
  const slow: Outcome = { kind: 'throttled', afterMs: 60_000, scope: 'account', text: 'slow down' };
  await settle(test.db, first!, slow, { kind: 'pause-account', afterMs: 60_000, text: 'slow down' });
  await settle(test.db, second!, accepted, { kind: 'sent' });
  expect(await due(test.db, id!)).toMatchObject({ attempts: 0, throttles: 1, claimed_by: null });
  expect(await claim(test.db, tenant)).toEqual([]);
  expect(await overdueAccounts(test.db, 0)).toEqual([]);
  const [next] = await nextDue(test.db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(55_000);
  const again = await acceptMessages(test.db, [textItem(tenant)], rules);
  expect(again.accounts).toEqual([]);
  await sql`update channel_accounts set paused_until = now()`.execute(test.db);
  expect(await claim(test.db, tenant)).toHaveLength(2);
});

test('a broken connection holds the messages of the account until somebody acts', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const broken: Outcome = { kind: 'connection-broken', text: 'wrong password' };
  await settle(test.db, claimed!, broken, { kind: 'break-account', text: 'wrong password' });
  const account = await test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  expect(account).toMatchObject({ status: 'action-required', status_detail: 'wrong password' });
  expect(await claim(test.db, tenant)).toEqual([]);
  expect(await nextDue(test.db, [tenant.accountId])).toEqual([]);
});

test('a call made with old settings breaks nothing that was mended meanwhile', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  await test.db.updateTable('channel_accounts').set({ settings: 'new' }).execute();
  const broken: Outcome = { kind: 'connection-broken', text: 'wrong password' };
  await settle(test.db, claimed!, broken, { kind: 'break-account', text: 'wrong password' });
  const account = await test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  expect(account).toMatchObject({ status: 'connected', paused_until: null });
  expect(await claim(test.db, tenant)).toMatchObject([{ state: 'call', attempts: 1 }]);
});

test('a message that the provider accepts shows that the settings work, though nobody verified them', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  await test.db
    .updateTable('channel_accounts')
    .set({ status_detail: 'Not verified: No response.', last_connected_at: new Date() })
    .execute();
  const [claimed] = await claim(test.db, tenant);
  await settle(test.db, claimed!, accepted, { kind: 'sent' });
  const account = await test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  expect(account).toMatchObject({ status: 'connected', status_detail: null });
});

test('the first accepted message connects an account that nobody verified; a rejected one does not', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const statusDetail = 'Not verified: No response.';
  await test.db
    .updateTable('channel_accounts')
    .set({ status: 'connecting', status_detail: statusDetail })
    .execute();
  const account = () => test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  const end = async (outcome: Outcome, decision: Decision) => {
    await send(test.db, tenant);
    const [claimed] = await claim(test.db, tenant);
    return settle(test.db, claimed!, outcome, decision);
  };
  const rejected: Outcome = { kind: 'rejected', errorCode: 'provider-rejected', text: 'No such sender' };
  const failed = { kind: 'failed', errorCode: 'provider-rejected', text: 'No such sender' } as const;
  expect((await end(rejected, failed)).connected).toEqual([]);
  expect(await account()).toMatchObject({ status: 'connecting', last_connected_at: null });
  expect((await end(accepted, { kind: 'sent' })).connected).toEqual([tenant.accountId]);
  expect(await account()).toMatchObject({ status: 'connected', status_detail: null });
  expect((await account()).last_connected_at).toEqual(expect.any(Date));
});

test('a retry is due again after its wait', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const retry: Outcome = { kind: 'retry', errorCode: 'provider-error', text: '500' };
  await settle(test.db, claimed!, retry, { kind: 'retry', afterMs: 30_000 });
  const [next] = await nextDue(test.db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(25_000);
  expect(next!.delayMs).toBeLessThanOrEqual(30_000);
});

test('released messages are due at once with their attempt unburnt', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 3);
  await releaseMessages(test.db, await claim(test.db, tenant));
  expect((await claim(test.db, tenant)).map((one) => [one.state, one.attempts])).toEqual(
    Array.from({ length: 3 }, () => ['call', 1]),
  );
});

test('an expired message fails, held or not; one that a provider may have fails as unknown', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [waiting, begun] = await send(test.db, tenant, 2);
  await sql`update dispatch_due set due_at = now() + interval '1 hour' where message_id = ${waiting}`.execute(
    test.db,
  );
  await claim(test.db, tenant);
  await sql`update dispatch_due set expires_at = now()`.execute(test.db);
  await sql`update channel_accounts set paused_until = 'infinity'`.execute(test.db);
  expect((await failExpired(test.db, 100)).count).toBe(1);
  await endLease(test.db);
  expect((await failExpired(test.db, 100)).count).toBe(1);
  expect(await message(test.db, waiting!)).toMatchObject({ status: 'failed', error_code: 'expired' });
  expect(await message(test.db, begun!)).toMatchObject({ status: 'failed', error_code: 'outcome-unknown' });
});

test('a message that expires while it is to be sent again after an unknown outcome fails as unknown', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  await settle(test.db, claimed!, unknown, { kind: 'resend', afterMs: 60_000, possibleDuplicate: false });
  await sql`update dispatch_due set expires_at = now()`.execute(test.db);
  expect((await failExpired(test.db, 100)).count).toBe(1);
  expect(await message(test.db, id!)).toMatchObject({ status: 'failed', error_code: 'outcome-unknown' });
});

test('what waits for a removed account fails', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  expect((await failRemoved(test.db, tenant.accountId, 100)).count).toBe(0);
  await test.db.updateTable('channel_accounts').set({ deleted_at: new Date() }).execute();
  expect(await claim(test.db, tenant)).toEqual([]);
  expect((await failRemoved(test.db, tenant.accountId, 100)).count).toBe(1);
  expect(await message(test.db, id!)).toMatchObject({
    status: 'failed',
    error_code: 'channel-account-removed',
  });
});

test('the sweeper finds accounts with overdue work that nobody holds, and only those', async () => {
  await using test = await testDatabase();
  const [busy, idle, paused] = [
    await makeTenant(test.db),
    await makeTenant(test.db),
    await makeTenant(test.db),
  ];
  await send(test.db, busy, 3);
  await send(test.db, paused, 3);
  expect(await overdueAccounts(test.db, 60_000)).toEqual([]);
  await sql`update channel_accounts set paused_until = 'infinity' where id = ${paused.accountId}`.execute(
    test.db,
  );
  expect(await overdueAccounts(test.db, 0)).toEqual([{ id: busy.accountId, lane: 'fast' }]);
  await claim(test.db, busy);
  expect(await overdueAccounts(test.db, 0)).toEqual([]);
  expect(await nextDue(test.db, [idle.accountId])).toEqual([]);
});

test('due messages that nobody holds are counted up to a limit, of both kinds', async () => {
  await using test = await testDatabase();
  const [much, little, idle, later] = [
    await makeTenant(test.db),
    await makeTenant(test.db),
    await makeTenant(test.db),
    await makeTenant(test.db),
  ];
  await send(test.db, much, 4);
  await send(test.db, much, 4, true);
  await send(test.db, little, 2);
  await claim(test.db, little, { limit: 1 });
  await send(test.db, later, 1);
  await sql`update dispatch_due set due_at = now() + interval '1 hour' where account_id = ${later.accountId}`.execute(
    test.db,
  );
  const ids = [much, little, idle, later].map((tenant) => tenant.accountId);
  expect(await countDue(test.db, ids, 7)).toEqual(
    new Map([
      [much.accountId, 7],
      [little.accountId, 1],
    ]),
  );
});

test('a claim reads what it takes and no more, however much waits', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await sql`
    insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select uuidv7(), ${tenant.accountId}, ${tenant.tenantId}, false, now(), now() + interval '1 day'
    from generate_series(1, 20000)`.execute(test.db);
  await send(test.db, tenant, 1);
  await sql`update dispatch_due set due_at = now() - interval '1 hour' where message_id in (select id from messages)`.execute(
    test.db,
  );
  await sql`analyze dispatch_due`.execute(test.db);
  const before = await rowsRead(test.db);
  expect(await claim(test.db, tenant, { limit: 1 })).toHaveLength(1);
  expect((await rowsRead(test.db)) - before).toBeLessThan(100);
});

/** Rows of dispatch_due that scans of any kind have returned so far. */
async function rowsRead(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_user_tables
    where relname = 'dispatch_due'`.execute(db);
  return rows[0]?.count ?? 0;
}
