import { markPossibleDuplicates } from '@notify/db/backups';
import { openDb, type Db } from '@notify/db/connection';
import { nextDue, overdueAccounts } from '@notify/db/dispatch';
import { dropPartitionsBefore, removeExpired } from '@notify/db/maintenance';
import {
  type AcceptItem,
  acceptMessages,
  cancelMessage,
  cancelWaiting,
  countScheduled,
  countWaiting,
  failRemoved,
  findWaiting,
  moveApproaching,
  rescheduleMessage,
} from '@notify/db/messages';
import { deleteTenant } from '@notify/db/tenants';
import { makeTenant, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { claim, due, eventNames, message, rules } from './dispatching.ts';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

/** Schedules a message of the tenant in so many ms, by the database's clock. Its id. */
async function schedule(db: Db, tenant: TestTenant, inMs: number, changes: Partial<AcceptItem> = {}) {
  const sendAt = await inTime(db, inMs);
  const { results, accounts } = await acceptMessages(db, [textItem(tenant, { sendAt, ...changes })], rules);
  const [result] = results;
  return { result, accounts, sendAt, id: result?.kind === 'accepted' ? result.message.id : '' };
}

async function inTime(db: Db, ms: number): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select date_trunc('milliseconds', now()) + make_interval(secs => ${ms}::float8 / 1000) as at`.execute(db);
  return rows[0]!.at;
}

/** Lets time pass for every scheduled message. */
async function pass(db: Db, ms: number): Promise<void> {
  const back = sql`make_interval(secs => ${ms}::float8 / 1000)`;
  await sql`update scheduled_messages set due_at = due_at - ${back}, expires_at = expires_at - ${back}`.execute(
    db,
  );
  await sql`update dispatch_due set due_at = due_at - ${back}, expires_at = expires_at - ${back},
    scheduled_at = scheduled_at - ${back}`.execute(db);
  await sql`update messages set scheduled_at = scheduled_at - ${back}, expires_at = expires_at - ${back},
    created_at = created_at - ${back}`.execute(db);
}

test('a scheduled message is stored and queued at once, wakes nobody, and is claimed when it is due', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id, accounts, sendAt } = await schedule(db, tenant, hour);
  expect(accounts).toEqual([]);
  expect(await eventNames(db)).toEqual(['1 message.queued']);
  expect(await message(db, id)).toMatchObject({ status: 'queued', scheduled_at: sendAt });
  expect((await message(db, id)).expires_at).toEqual(new Date(sendAt.getTime() + day));
  expect(await due(db, id)).toBeUndefined();

  expect(await moveApproaching(db, 10)).toEqual({ count: 0, accounts: [] });
  await pass(db, hour - 30 * second);
  const moved = await moveApproaching(db, 10);
  expect(moved).toMatchObject({ count: 1, accounts: [{ id: tenant.accountId, lane: 'fast' }] });
  expect(moved.accounts[0]!.delayMs).toBeGreaterThan(29 * second);
  expect(await claim(db, tenant)).toEqual([]);
  expect((await nextDue(db, [tenant.accountId]))[0]!.delayMs).toBeGreaterThan(28 * second);
  await pass(db, 31 * second);
  const [claimed] = await claim(db, tenant);
  expect(claimed).toMatchObject({ messageId: id, state: 'call' });
  // Its latency counts from the time that it was due.
  expect(claimed!.waitedMs).toBeGreaterThan(900);
  expect(claimed!.waitedMs).toBeLessThan(20 * second);
});

test('a message that is due within a minute waits where turns find it, and wakes its account for that time', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id, accounts } = await schedule(db, tenant, 20 * second);
  expect(accounts).toMatchObject([{ id: tenant.accountId, lane: 'fast' }]);
  expect(accounts[0]!.delayMs).toBeGreaterThan(19 * second);
  expect(accounts[0]!.delayMs).toBeLessThanOrEqual(20 * second);
  expect(await due(db, id)).toMatchObject({ message_id: id });
  expect(await claim(db, tenant)).toEqual([]);
  // The turn planned for the first message would not be brought forward by a delay.
  expect((await schedule(db, tenant, 10 * second)).accounts).toEqual([
    { id: tenant.accountId, lane: 'fast' },
  ]);
  const later = await schedule(db, tenant, 40 * second);
  expect(later.accounts[0]!.delayMs).toBeGreaterThan(30 * second);
});

test('a batch wakes an account for its first message', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const [tenant, other] = [await makeTenant(db), await makeTenant(db)];
  const [soon, sooner, far] = [
    await inTime(db, 30 * second),
    await inTime(db, 5 * second),
    await inTime(db, day),
  ];
  const items = [
    textItem(tenant, { sendAt: soon }),
    textItem(tenant, { sendAt: sooner }),
    textItem(tenant, { sendAt: far }),
    textItem(other, { sendAt: soon }),
    textItem(other),
  ];
  const { results, accounts } = await acceptMessages(db, items, rules);
  expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
  const wakes = new Map(accounts.map((wake) => [wake.id, wake.delayMs]));
  expect(wakes.get(tenant.accountId)).toBeGreaterThan(4 * second);
  expect(wakes.get(tenant.accountId)).toBeLessThanOrEqual(5 * second);
  expect(wakes.get(other.accountId)).toBeUndefined();
  expect(wakes.size).toBe(2);
});

test.each([
  [-59 * second, 2],
  [30 * day - second, 0],
])('a message may be sent in %s ms: %s can be claimed now', async (inMs, claimed) => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const kinds = [await schedule(db, tenant, inMs), await schedule(db, tenant, inMs, { bulk: true })];
  expect(kinds.map(({ result }) => result?.kind)).toEqual(['accepted', 'accepted']);
  expect(await claim(db, tenant)).toHaveLength(claimed);
});

test.each([-61 * second, 30 * day + second])('a message may not be sent in %s ms', async (inMs) => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const single = await schedule(db, tenant, inMs);
  expect(single.result).toEqual({ kind: 'refused', code: 'invalid-send-at' });
  const bulk = await schedule(db, tenant, inMs, { bulk: true });
  expect(bulk.result).toMatchObject({ kind: 'failed', errorCode: 'invalid-send-at' });
  expect(await eventNames(db)).toEqual(['1 message.failed']);
});

test('the time may only be as far ahead as messages are kept', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const item = textItem(tenant, { sendAt: await inTime(db, 2 * day) });
  const { results } = await acceptMessages(db, [item], { ...rules, scheduleDays: 1 });
  expect(results).toEqual([{ kind: 'refused', code: 'invalid-send-at' }]);
});

test('a repeat is answered though the time has passed, and its key outlives the wait of its message', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const first = await schedule(db, tenant, 20 * day, { idempotencyKey: 'k' });
  const again = () =>
    acceptMessages(db, [textItem(tenant, { sendAt: first.sendAt, idempotencyKey: 'k' })], rules);
  await sql`update idempotency_keys set created_at = created_at - interval '19 days'`.execute(db);
  expect((await removeExpired(db, { idempotencyDays: 7 })).idempotencyKeys).toBe(0);
  expect((await again()).results).toMatchObject([
    { kind: 'accepted', repeated: true, message: { id: first.id } },
  ]);
  await sql`update idempotency_keys set created_at = created_at - interval '1 day'`.execute(db);
  await moveApproaching(db, 10);
  await pass(db, 20 * day);
  await moveApproaching(db, 10);
  expect((await removeExpired(db, { idempotencyDays: 7 })).idempotencyKeys).toBe(0);
  await sql`delete from dispatch_due`.execute(db);
  expect((await removeExpired(db, { idempotencyDays: 7 })).idempotencyKeys).toBe(1);
});

test('scheduled messages count apart from waiting ones until they are due', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  await schedule(db, tenant, hour);
  await schedule(db, tenant, hour);
  await schedule(db, tenant, 30 * second);
  await acceptMessages(db, [textItem(tenant)], rules);
  const counts = async () => [
    await countWaiting(db, tenant.tenantId, 10),
    await countScheduled(db, tenant.tenantId, 10),
    await countScheduled(db, tenant.tenantId, 2),
  ];
  expect(await counts()).toEqual([1, 3, 2]);
  await pass(db, hour);
  await moveApproaching(db, 10);
  expect(await counts()).toEqual([4, 0, 0]);
  await sql`update dispatch_due set due_at = now() + interval '5 minutes', attempts = 1`.execute(db);
  expect(await counts()).toEqual([4, 0, 0]);
});

test('a waiting message can be rescheduled until a turn claims it, and its lifetime follows', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id } = await schedule(db, tenant, 2 * day, { expiresInSeconds: 60 });
  const change = async (inMs: number) => {
    const sendAt = await inTime(db, inMs);
    return {
      ...(await rescheduleMessage(db, {
        tenantId: tenant.tenantId,
        messageId: id,
        sendAt,
        scheduleDays: 30,
      })),
      sendAt,
    };
  };
  const later = await change(3 * day);
  expect(later).toMatchObject({ kind: 'rescheduled', account: null });
  expect(await message(db, id)).toMatchObject({
    scheduled_at: later.sendAt,
    expires_at: new Date(later.sendAt.getTime() + 60 * second),
  });
  expect(await change(31 * day)).toMatchObject({ kind: 'invalid-send-at' });
  expect(await change(-61 * second)).toMatchObject({ kind: 'invalid-send-at' });
  const soon = await change(30 * second);
  expect(soon).toMatchObject({ kind: 'rescheduled', account: { id: tenant.accountId, lane: 'fast' } });
  expect(await due(db, id)).toMatchObject({ due_at: soon.sendAt, scheduled_at: soon.sendAt });
  // It stays where turns find it, but not before its new time.
  expect(await change(5 * day)).toMatchObject({ kind: 'rescheduled', account: null });
  expect(await claim(db, tenant)).toEqual([]);
  expect(await countWaiting(db, tenant.tenantId, 10)).toBe(0);
  expect(await change(-30 * second)).toMatchObject({ kind: 'rescheduled' });
  expect(await claim(db, tenant)).toMatchObject([{ messageId: id }]);
  expect(await change(hour)).toMatchObject({ kind: 'not-waiting' });
  expect(
    await rescheduleMessage(db, {
      tenantId: tenant.keyId,
      messageId: id,
      sendAt: later.sendAt,
      scheduleDays: 30,
    }),
  ).toEqual({ kind: 'not-waiting' });
});

test('a race between a claim and a new time has one winner', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url, { maxConnections: 8 });
  const tenant = await makeTenant(db);
  const sendAt = await inTime(db, hour);
  for (let round = 0; round < 20; round += 1) {
    const { results } = await acceptMessages(db, [textItem(tenant)], rules);
    const [result] = results;
    const messageId = result?.kind === 'accepted' ? result.message.id : '';
    const [changed, claimed] = await Promise.all([
      rescheduleMessage(db, { tenantId: tenant.tenantId, messageId, sendAt, scheduleDays: 30 }),
      claim(db, tenant),
    ]);
    expect([changed.kind, claimed.length]).toEqual(
      claimed.length === 1 ? ['not-waiting', 1] : ['rescheduled', 0],
    );
    await sql`delete from dispatch_due`.execute(db);
  }
  await db.destroy();
});

test('a scheduled message can be canceled, also while it moves', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url, { maxConnections: 8 });
  const tenant = await makeTenant(db);
  const { id } = await schedule(db, tenant, hour);
  expect(await cancelMessage(db, tenant.keyId, id)).toEqual({ kind: 'not-waiting' });
  expect(await cancelMessage(db, tenant.tenantId, id, [tenant.keyId])).toEqual({ kind: 'not-waiting' });
  expect(await cancelMessage(db, tenant.tenantId, id)).toMatchObject({ kind: 'canceled' });
  expect(await message(db, id)).toMatchObject({ status: 'failed', error_code: 'canceled' });
  for (let round = 0; round < 20; round += 1) {
    const next = await schedule(db, tenant, hour);
    await pass(db, hour - second);
    const [canceled] = await Promise.all([
      cancelMessage(db, tenant.tenantId, next.id),
      moveApproaching(db, 10),
    ]);
    expect(canceled).toMatchObject({ kind: 'canceled' });
    expect(await due(db, next.id)).toBeUndefined();
  }
  expect(await countScheduled(db, tenant.tenantId, 10)).toBe(0);
  await db.destroy();
});

test('many messages are canceled by filter, each once, while turns claim and rows move', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url, { maxConnections: 8 });
  const tenant = await makeTenant(db);
  const at = await inTime(db, hour);
  const items = (sendAt: Date | null) => Array.from({ length: 100 }, () => textItem(tenant, { sendAt }));
  await acceptMessages(db, [...items(at), ...items(null)], rules);
  await pass(db, hour - 10 * second);
  const ids = await findWaiting(db, tenant.tenantId, {}, 1_000);
  expect(ids).toHaveLength(200);
  expect(await findWaiting(db, tenant.tenantId, {}, 150)).toHaveLength(150);
  expect(await findWaiting(db, tenant.tenantId, { scheduled: true }, 1_000)).toHaveLength(100);
  expect(await findWaiting(db, tenant.tenantId, { scheduledUntil: at }, 1_000)).toHaveLength(100);
  expect(await findWaiting(db, tenant.tenantId, { recipients: ['+1555'] }, 1_000)).toHaveLength(0);
  expect(await findWaiting(db, tenant.tenantId, { recipients: ['+15550001000'] }, 1_000)).toHaveLength(200);
  expect(await findWaiting(db, tenant.keyId, {}, 1_000)).toHaveLength(0);
  const batches = Array.from({ length: 4 }, (_, index) => ids.slice(index * 50, index * 50 + 50));
  const [, claimed, ...canceled] = await Promise.all([
    moveApproaching(db, 1_000),
    claim(db, tenant, { limit: 30 }),
    ...batches.map((batch) => cancelWaiting(db, tenant.tenantId, batch)),
    ...batches.map((batch) => cancelWaiting(db, tenant.tenantId, batch)),
  ]);
  const count = canceled.reduce((sum, one) => sum + one.count, 0);
  expect(count + claimed.length).toBe(200);
  const failed = await db.selectFrom('messages').select('id').where('error_code', '=', 'canceled').execute();
  expect(failed).toHaveLength(count);
  await db.destroy();
});

test('messages scheduled for a removed account fail at once, and go with their tenant', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const [tenant, other] = [await makeTenant(db), await makeTenant(db)];
  const { id } = await schedule(db, tenant, hour);
  await schedule(db, other, hour);
  await sql`update channel_accounts set deleted_at = now() where id = ${tenant.accountId}`.execute(db);
  expect((await failRemoved(db, tenant.accountId, 10)).count).toBe(1);
  expect((await failRemoved(db, tenant.accountId, 10)).count).toBe(0);
  expect(await message(db, id)).toMatchObject({ status: 'failed', error_code: 'channel-account-removed' });
  await deleteTenant(db, other.tenantId);
  const { rows } = await sql`select from scheduled_messages`.execute(db);
  expect(rows).toHaveLength(0);
});

test('a partition with a waiting message is kept, in every table of messages', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id } = await schedule(db, tenant, hour);
  // The id decides the partition. As if the message had been accepted long ago.
  const old = '01700000-0000-7000-8000-000000000001';
  for (const table of ['messages', 'attempts', 'conversation_messages'])
    await sql`create table ${sql.ref(`${table}_old`)} partition of ${sql.ref(table)}
      for values from ('01600000-0000-7000-8000-000000000000') to ('01800000-0000-7000-8000-000000000000')`.execute(
      db,
    );
  await sql`update messages set id = ${old}::uuid where id = ${id}`.execute(db);
  await sql`update scheduled_messages set message_id = ${old}::uuid`.execute(db);
  const drop = async () =>
    (
      await Promise.all(
        ['messages', 'attempts', 'conversation_messages'].map((table) => dropPartitionsBefore(db, table, 90)),
      )
    ).flat();
  expect(await drop()).toEqual([]);
  await pass(db, hour);
  await moveApproaching(db, 10);
  expect(await drop()).toEqual([]);
  expect(await cancelMessage(db, tenant.tenantId, old)).toMatchObject({ kind: 'canceled' });
  expect(await drop()).toEqual(['messages_old', 'attempts_old', 'conversation_messages_old']);
});

test('after a restore, a message that was due in the lost time is marked, wherever it waits', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const [lost, later] = [await schedule(db, tenant, hour), await schedule(db, tenant, day)];
  await pass(db, 2 * hour);
  expect(await markPossibleDuplicates(db, await inTime(db, 0), 1)).toBe(1);
  expect(await message(db, lost.id)).toMatchObject({ possible_duplicate: true });
  expect(await message(db, later.id)).toMatchObject({ possible_duplicate: false });
});

test('the rows of a storm move in bounded steps, first due first, and lose no account', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenants = await Promise.all(Array.from({ length: 3 }, () => makeTenant(db)));
  const at = await inTime(db, hour);
  const items = Array.from({ length: 30 }, (_, index) =>
    textItem(tenants[index % 3]!, { sendAt: at, bulk: true }),
  );
  await acceptMessages(db, items, rules);
  await schedule(db, tenants[0]!, hour - 10 * second);
  await pass(db, hour);
  expect(await overdueAccounts(db, 0)).toEqual([]);
  const first = await moveApproaching(db, 20);
  const [claimed] = await claim(db, tenants[0]!, { limit: 1 });
  expect(claimed).toMatchObject({ bulk: false });
  const then = await moveApproaching(db, 20);
  expect([first.count, then.count, (await moveApproaching(db, 20)).count]).toEqual([20, 11, 0]);
  const woken = new Set([...first.accounts, ...then.accounts].map(({ id }) => id));
  expect([...woken].toSorted()).toEqual(tenants.map(({ accountId }) => accountId).toSorted());
});
