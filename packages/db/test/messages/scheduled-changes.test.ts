import {
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
import { makeTenant, openTestDb, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { claim, due, message, rules } from '../dispatching.ts';
import { day, hour, inTime, pass, schedule, second } from './scheduling.ts';

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
  const soon = await change(50 * second);
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

test('a new time does not set the last change of a message back, even if the clock was', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const { id } = await schedule(db, tenant, hour);
  const changed = await inTime(db, hour);
  await db.updateTable('messages').set({ updated_at: changed }).where('id', '=', id).execute();
  const sendAt = await inTime(db, 2 * hour);
  const { kind } = await rescheduleMessage(db, {
    tenantId: tenant.tenantId,
    messageId: id,
    sendAt,
    scheduleDays: 30,
  });
  expect(kind).toBe('rescheduled');
  expect(await message(db, id)).toMatchObject({ scheduled_at: sendAt, updated_at: changed });
});

test('a race between a claim and a new time has one winner', async () => {
  await using test = await testDatabase();
  const db = openTestDb(test.url, { maxConnections: 8 });
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
  const db = openTestDb(test.url, { maxConnections: 8 });
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
  const db = openTestDb(test.url, { maxConnections: 8 });
  const tenant = await makeTenant(db);
  const at = await inTime(db, hour);
  const items = (sendAt: Date | null) => Array.from({ length: 100 }, () => textItem(tenant, { sendAt }));
  await acceptMessages(db, [...items(at), ...items(null)], rules);
  await pass(db, hour - 50 * second);
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
