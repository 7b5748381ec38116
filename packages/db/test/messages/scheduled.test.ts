import { markPossibleDuplicates } from '@notify/db/backups';
import { nextDue, overdueAccounts } from '@notify/db/dispatch';
import { dropPartitionsBefore, removeExpired } from '@notify/db/maintenance';
import {
  acceptMessages,
  cancelMessage,
  countScheduled,
  countWaiting,
  moveApproaching,
} from '@notify/db/messages';
import { makeTenant, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { claim, due, eventNames, message, rules } from '../dispatching.ts';
import { day, hour, inTime, pass, schedule, second } from './scheduling.ts';

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
  await pass(db, hour - 50 * second);
  const moved = await moveApproaching(db, 10);
  expect(moved).toMatchObject({ count: 1, accounts: [{ id: tenant.accountId, lane: 'fast' }] });
  expect(moved.accounts[0]!.delayMs).toBeGreaterThan(20 * second);
  expect(await claim(db, tenant)).toEqual([]);
  expect((await nextDue(db, [tenant.accountId]))[0]!.delayMs).toBeGreaterThan(10 * second);
  await pass(db, 51 * second);
  const [claimed] = await claim(db, tenant);
  expect(claimed).toMatchObject({ messageId: id, state: 'call' });
  // Its latency counts from the time that it was due.
  expect(claimed!.waitedMs).toBeGreaterThan(900);
  expect(claimed!.waitedMs).toBeLessThan(50 * second);
});

test('a message that is due within a minute waits where turns find it, and wakes its account for that time', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id, accounts } = await schedule(db, tenant, 40 * second);
  expect(accounts).toMatchObject([{ id: tenant.accountId, lane: 'fast' }]);
  expect(accounts[0]!.delayMs).toBeGreaterThan(20 * second);
  expect(accounts[0]!.delayMs).toBeLessThanOrEqual(40 * second);
  expect(await due(db, id)).toMatchObject({ message_id: id });
  expect(await claim(db, tenant)).toEqual([]);
  // The turn planned for the first message would not be brought forward by a delay.
  expect((await schedule(db, tenant, 30 * second)).accounts).toEqual([
    { id: tenant.accountId, lane: 'fast' },
  ]);
  const later = await schedule(db, tenant, 55 * second);
  expect(later.accounts[0]!.delayMs).toBeGreaterThan(30 * second);
});

test('a batch wakes an account for its first message', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const [tenant, other] = [await makeTenant(db), await makeTenant(db)];
  const [soon, sooner, far] = [
    await inTime(db, 50 * second),
    await inTime(db, 40 * second),
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
  expect(wakes.get(tenant.accountId)).toBeGreaterThan(20 * second);
  expect(wakes.get(tenant.accountId)).toBeLessThanOrEqual(40 * second);
  expect(wakes.get(other.accountId)).toBeUndefined();
  expect(wakes.size).toBe(2);
});

test.each([
  [-30 * second, 2],
  [30 * day - second, 0],
])('a message may be sent in %s ms: %s can be claimed now', async (inMs, claimed) => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const kinds = [await schedule(db, tenant, inMs), await schedule(db, tenant, inMs, { bulk: true })];
  expect(kinds.map(({ result }) => result?.kind)).toEqual(['accepted', 'accepted']);
  expect(await claim(db, tenant)).toHaveLength(claimed);
});

test.each([-61 * second, 30 * day + hour])('a message may not be sent in %s ms', async (inMs) => {
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
  await schedule(db, tenant, 50 * second);
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
