import { failuresUntilFailing } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { holdSends } from '@notify/db/holds';
import { acceptMessages } from '@notify/db/messages';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  type TestTenant,
  testDatabase,
  textItem,
} from '@notify/testkit';
import { type RawBuilder, sql } from 'kysely';
import { partitioned } from '../../src/maintenance/partitions.ts';
import type { BacklogFigures, SampleFigures } from '../../src/operations/figures.ts';
import { beginRounds, takeSample } from '../../src/operations/sample.ts';
import { passFor, sendGroup, textGroup } from '../groups/grouping.ts';

const terms = { idempotencyDays: 7, blockExpiredTrials: false };

async function sampleOf(db: Db): Promise<SampleFigures> {
  const { figures, failures } = await takeSample(db, beginRounds());
  expect([...failures]).toEqual([]);
  return figures;
}

/** A tenant whose account has `singles` and `bulk` messages that have been due for `dueForS`. */
async function withMessages(
  db: Db,
  count: { singles?: number; bulk?: number },
  dueForS: number,
  account: Record<string, unknown> = {},
): Promise<TestTenant> {
  const tenant = await makeTenant(db);
  const items = [
    ...Array.from({ length: count.singles ?? 0 }, () => textItem(tenant)),
    ...Array.from({ length: count.bulk ?? 0 }, () => textItem(tenant, { bulk: true })),
  ];
  await acceptMessages(db, items, terms);
  await sql`update dispatch_due set due_at = now() - make_interval(secs => ${dueForS}::float8)
    where account_id = ${tenant.accountId}`.execute(db);
  if (Object.keys(account).length > 0)
    await db.updateTable('channel_accounts').set(account).where('id', '=', tenant.accountId).execute();
  return tenant;
}

/** A webhook of that tenant with deliveries that have been due for `dueForS`. */
async function withDeliveries(
  db: Db,
  tenantId: string,
  count: number,
  dueForS: number,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = await makeWebhook(db, tenantId);
  await addDeliveries(db, id, count);
  await sql`update delivery_due set due_at = now() - make_interval(secs => ${dueForS}::float8)
    where webhook_id = ${id}`.execute(db);
  if (Object.keys(changes).length > 0)
    await db.updateTable('webhooks').set(changes).where('id', '=', id).execute();
  return id;
}

/** The age is rounded down to tens of seconds. */
function laneOf(backlog: BacklogFigures | null, lane: string): [due: number, oldestS: number] {
  const found = backlog!.lanes.find((one) => one.lane === lane)!;
  return [found.due.count, Math.floor(found.oldestMs / 10_000) * 10];
}

const agoS = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() - make_interval(secs => ${seconds}::float8)`;
const inS = (seconds: number): RawBuilder<Date> => agoS(-seconds);

test('due messages are those that a claim would take, by lane', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const fast = await withMessages(db, { singles: 3, bulk: 2 }, 60);
  const older = await withMessages(db, { bulk: 1 }, 90);
  const slow = await withMessages(db, { singles: 4 }, 600, { lane: 'slow' });
  await withMessages(db, { singles: 1 }, 30, { lane: 'whatsapp-web' });
  // These cannot go now.
  await withMessages(db, { singles: 10 }, 7_000, { paused_until: sql`'infinity'` });
  await withMessages(db, { singles: 10 }, 7_000, { paused_until: inS(60) });
  await withMessages(db, { singles: 10 }, 7_000, { paced_until: inS(60), per_second: 1 });
  await withMessages(db, { singles: 10 }, 7_000, { blocked: true });
  await withMessages(db, { singles: 10 }, 7_000, { deleted_at: agoS(1) });
  await withMessages(db, { singles: 10 }, -60);
  const inWork = await withMessages(db, { singles: 10 }, 7_000);
  await db
    .updateTable('dispatch_due')
    .set({ claimed_until: inS(60) })
    .where('account_id', '=', inWork.accountId)
    .execute();
  const expired = await withMessages(db, { singles: 10 }, 7_000);
  await db
    .updateTable('dispatch_due')
    .set({ expires_at: agoS(1) })
    .where('account_id', '=', expired.accountId)
    .execute();
  // The lease of this one has ended.
  const left = await withMessages(db, { singles: 1 }, 5);
  await db
    .updateTable('dispatch_due')
    .set({ claimed_until: agoS(1) })
    .where('account_id', '=', left.accountId)
    .execute();

  const { messages } = await sampleOf(db);

  expect(laneOf(messages, 'fast')).toEqual([7, 90]);
  expect(laneOf(messages, 'slow')).toEqual([4, 600]);
  expect(laneOf(messages, 'whatsapp-web')).toEqual([1, 30]);
  expect(messages!.waiting).toEqual({ count: 92, isEstimate: false });
  expect(messages!.slowest.subjects.slice(0, 3).map(({ id }) => id)).toEqual(
    [slow, older, fast].map(({ accountId }) => accountId),
  );
  expect(messages!.slowest.tenants[0]).toMatchObject({ id: slow.tenantId, tenantId: slow.tenantId });
  expect(messages!.busiest.subjects).toHaveLength(5);
  expect(messages!.busiest.subjects[0]!.waiting).toEqual({ count: 10, isEstimate: false });
});

test('the time of a pause does not count as waiting', async () => {
  await using test = await testDatabase();
  await withMessages(test.db, { singles: 1 }, 7_000, { paused_until: agoS(20) });
  await withMessages(test.db, { singles: 1 }, 7_000, { paced_until: agoS(10), per_second: 1, lane: 'slow' });
  const { tenantId } = await makeTenant(test.db);
  await withDeliveries(test.db, tenantId, 1, 7_000, { paused_until: agoS(40) });
  const { messages, deliveries } = await sampleOf(test.db);
  expect(laneOf(messages, 'fast')).toEqual([1, 20]);
  expect(laneOf(messages, 'slow')).toEqual([1, 10]);
  expect(laneOf(deliveries, 'fast')).toEqual([1, 40]);
});

test('due deliveries are those of active webhooks that do not fail', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { tenantId } = await makeTenant(db);
  const fast = await withDeliveries(db, tenantId, 3, 60, { failure_count: failuresUntilFailing - 1 });
  const slow = await withDeliveries(db, tenantId, 2, 90, { lane: 'slow' });
  const failing = await withDeliveries(db, tenantId, 10, 7_000, { failure_count: failuresUntilFailing });
  await withDeliveries(db, tenantId, 4, 7_000, { paused_until: inS(60) });
  await withDeliveries(db, tenantId, 5, 7_000, { is_active: false });

  const { deliveries, webhooks } = await sampleOf(db);

  expect(laneOf(deliveries, 'fast')).toEqual([3, 60]);
  expect(laneOf(deliveries, 'slow')).toEqual([2, 90]);
  expect(deliveries!.waiting.count).toBe(24);
  expect(deliveries!.busiest.subjects[0]).toEqual({
    id: failing,
    tenantId,
    waiting: { count: 10, isEstimate: false },
  });
  expect(deliveries!.busiest.tenants).toEqual([
    { id: tenantId, tenantId, waiting: { count: 24, isEstimate: false } },
  ]);
  expect(deliveries!.slowest.subjects.map(({ id }) => id)).toEqual([slow, fast]);
  expect(webhooks).toEqual({ active: 3, failing: 1, disabled: 1 });
});

test('above 10,000 the numbers are estimates that are near, and the ages stay exact', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const busy = await makeTenant(db);
  const other = await withMessages(db, { singles: 10 }, 60);
  const paused = await makeTenant(db);
  for (const [tenant, count] of [
    [busy, 40_000],
    [paused, 20_000],
  ] as const)
    await sql`insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
      select uuidv7(), ${tenant.accountId}, ${tenant.tenantId}, true, now() - interval '30 seconds', now() + interval '1 day'
      from generate_series(1, ${sql.lit(count)})`.execute(db);
  await db
    .updateTable('channel_accounts')
    .set({ blocked: true })
    .where('id', '=', paused.accountId)
    .execute();

  const { messages } = await sampleOf(db);

  // Pages are drawn one by one, so the estimate's standard deviation is about 5 %.
  expect(messages!.waiting.isEstimate).toBe(true);
  expect(Math.abs(messages!.waiting.count - 60_010)).toBeLessThan(15_000);
  const fast = messages!.lanes.find(({ lane }) => lane === 'fast')!;
  expect(fast.due.isEstimate).toBe(true);
  expect(Math.abs(fast.due.count - 40_010)).toBeLessThan(10_000);
  expect(laneOf(messages, 'fast')[1]).toBe(60);
  expect(laneOf(messages, 'slow')).toEqual([0, 0]);
  expect(messages!.busiest.subjects.slice(0, 2).map(({ id }) => id)).toEqual([
    busy.accountId,
    paused.accountId,
  ]);
  expect(messages!.slowest.subjects.map(({ id }) => id)).toEqual([other.accountId, busy.accountId]);
});

test('one old message among many accounts is found within a round, and remembered', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { tenantId } = await makeTenant(db);
  await sql`insert into channel_accounts (id, tenant_id, channel, provider, name, settings)
    select uuidv7(), ${tenantId}, 'sms', 'sandbox', 'test', '{}' from generate_series(1, 1500)`.execute(db);
  await sql`insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select uuidv7(), a.id, a.tenant_id, true, now() - interval '30 seconds', now() + interval '1 day'
    from channel_accounts a, generate_series(1, 30)`.execute(db);
  const old = sql<string>`(select account_id from dispatch_due order by account_id desc limit 1)`;
  await sql`update dispatch_due set due_at = now() - interval '10 minutes' where message_id =
    (select message_id from dispatch_due where account_id = ${old} limit 1)`.execute(db);
  const rounds = beginRounds();
  const oldestS = async (): Promise<number> => {
    const { figures } = await takeSample(db, rounds);
    return laneOf(figures.messages, 'fast')[1];
  };
  // Random pages may find it in the first sample.
  expect([30, 600]).toContain(await oldestS());
  for (let sample = 0; sample < 8; sample += 1) expect(await oldestS()).toBe(600);

  await db.deleteFrom('dispatch_due').where('account_id', '=', old).execute();
  expect(await oldestS()).toBe(30);
});

test('accounts are counted by provider and status, without removed ones', async () => {
  await using test = await testDatabase();
  const { db } = test;
  await makeTenant(db);
  await withMessages(db, {}, 0, { blocked: true });
  await withMessages(db, {}, 0, { paused_until: inS(60) });
  await withMessages(db, {}, 0, { paused_until: agoS(60) });
  await withMessages(db, {}, 0, { deleted_at: agoS(60) });
  await withMessages(db, {}, 0, { status: 'action-required', provider: 'whatsapp-web' });
  expect((await sampleOf(db)).accounts).toEqual([
    { provider: 'sandbox', status: 'connected', count: 4, paused: 2 },
    { provider: 'whatsapp-web', status: 'action-required', count: 1, paused: 0 },
  ]);
});

test('receipts that wait, scheduled messages and missing migrations are counted', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { accountId } = await makeTenant(db);
  for (const externalId of ['a', 'b'])
    await sql`insert into receipts (account_id, external_id, status, apply_at)
      values (${accountId}, ${externalId}, 'delivered', now() + interval '1 hour')`.execute(db);
  await sql`insert into scheduled_messages (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    values (uuidv7(), ${accountId}, uuidv7(), false, now() + interval '1 hour', now() + interval '1 day')`.execute(
    db,
  );
  await sql`delete from kysely_migration where name = '0029_observability'`.execute(db);
  expect(await sampleOf(db)).toMatchObject({
    receiptsWaiting: { count: 2, isEstimate: false },
    messagesScheduled: { count: 1, isEstimate: false },
    migrationsPending: 1,
  });
});

test('partitions reach two periods ahead, and a default partition that gets a row is seen', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const before = (await sampleOf(db)).partitions!;
  expect(before.map(({ table }) => table)).toEqual(partitioned.map(({ table }) => table));
  const day = 86_400;
  for (const { table, secondsAhead, defaultHasRows } of before) {
    const isMonthly = partitioned.find((one) => one.table === table)!.period === 'month';
    expect(secondsAhead).toBeGreaterThan(isMonthly ? 56 * day : 14 * day);
    expect(secondsAhead).toBeLessThan(isMonthly ? 93 * day : 22 * day);
    expect(defaultHasRows).toBe(false);
  }

  await sql`insert into events (id, tenant_id, event, body, occurred_at)
    values ('ffffffff-ffff-7fff-bfff-ffffffffffff', uuidv7(), 'sent', '{}', now())`.execute(db);
  const newest = await sql<{ name: string }>`select max(inhrelid::regclass::text) as name from pg_inherits
    where inhparent = 'events'::regclass and inhrelid::regclass::text <> 'events_default'`.execute(db);
  await sql`drop table ${sql.ref(newest.rows[0]!.name)}`.execute(db);

  const events = (await sampleOf(db)).partitions!.find(({ table }) => table === 'events')!;
  expect(events.defaultHasRows).toBe(true);
  const was = before.find(({ table }) => table === 'events')!.secondsAhead;
  expect(was - events.secondsAhead).toBeGreaterThan(6.9 * day);
});

test('looks at groups: planned ones wait, due ones count, and none are due while all sends are held', async () => {
  await using test = await testDatabase();
  const { db } = test;
  expect((await sampleOf(db)).groups).toEqual({
    waiting: { count: 0, isEstimate: false },
    lanes: [{ lane: 'fast', due: { count: 0, isEstimate: false }, oldestMs: 0 }],
  });
  const [first, second] = [await makeTenant(db), await makeTenant(db)];
  const late = await sendGroup(db, textGroup(first, 2));
  for (const tenant of [first, second, second]) await sendGroup(db, textGroup(tenant, 2));
  await passFor(db, late.groupId, 60 + 90);

  const { groups } = await sampleOf(db);
  expect(groups!.waiting).toEqual({ count: 4, isEstimate: false });
  expect(groups!.lanes[0]!.due).toEqual({ count: 1, isEstimate: false });
  expect(Math.floor(groups!.lanes[0]!.oldestMs / 10_000)).toBe(9);

  await holdSends(db, { acceptedBefore: new Date(), server: 'test' });
  expect((await sampleOf(db)).groups!.lanes[0]).toMatchObject({ due: { count: 0 }, oldestMs: 0 });
});

test('a query that takes too long is ended, and the others are answered', async () => {
  await using test = await testDatabase();
  const { db } = test;
  await makeTenant(db);
  await db.transaction().execute(async (trx) => {
    await sql`lock table webhooks in access exclusive mode`.execute(trx);
    const { figures, failures } = await takeSample(db, beginRounds());
    // The lock is still held, so only the limit of the statement has ended it.
    expect(failures.get('webhooks')).toMatchObject({ code: '57014' });
    expect(figures.webhooks).toBeNull();
    expect(figures.tookMs['webhooks']).toBeNull();
    expect(figures.messages).not.toBeNull();
    expect(figures.accounts).toHaveLength(1);
  });
});
