import type { Outcome } from '@notify/core';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { nextDue, postponeMessages } from '@notify/db/dispatch';
import { acceptMessages, cancelMessage, rescheduleMessage } from '@notify/db/messages';
import { metrics } from '@notify/telemetry';
import { testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

const accepted: Outcome = { kind: 'accepted', externalId: null };
const noSignal = new AbortController().signal;
const hourMs = 3_600_000;
const rules = { idempotencyDays: 7, blockExpiredTrials: false };

type Changes = Parameters<typeof textItem>[1];

async function send(db: Db, tenant: TestTenant, changes: Changes = {}): Promise<string> {
  const { results } = await acceptMessages(db, [textItem(tenant, changes)], rules);
  const [result] = results;
  if (result?.kind !== 'accepted') throw new Error(`the message was ${result?.kind}`);
  return result.message.id;
}

/** Quiet hours in UTC around the present time: since two hours, for two to three more. */
function quietNow(): { from: string; to: string; end: Date } {
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const end = new Date(hour + 3 * hourMs);
  return { from: clock(hour - 2 * hourMs), to: clock(end.getTime()), end };
}

interface DueRow {
  due_at: Date;
  expires_at: Date;
  quiet_until: Date | null;
  attempts: number;
  claimed_by: string | null;
}

async function dueOf(db: Db, id: string): Promise<DueRow | undefined> {
  const { rows } = await sql<DueRow>`
    select due_at, expires_at, quiet_until, attempts, claimed_by from dispatch_due where message_id = ${id}`.execute(
    db,
  );
  return rows[0];
}

async function messageOf(db: Db, id: string) {
  const { rows } = await sql<{
    status: string;
    attempts: number;
    created_at: Date;
    expires_at: Date;
    postponed_ms: number | null;
  }>`select status, attempts, created_at, expires_at, postponed_ms from messages where id = ${id}`.execute(
    db,
  );
  return rows[0]!;
}

/** As if that time had passed for all messages. */
async function pass(db: Db, ms: number): Promise<void> {
  const back = sql`make_interval(secs => ${ms}::float8 / 1000)`;
  await sql`update dispatch_due set due_at = due_at - ${back}, expires_at = expires_at - ${back},
    quiet_until = quiet_until - ${back}`.execute(db);
  await sql`update messages set created_at = created_at - ${back}, expires_at = expires_at - ${back}`.execute(
    db,
  );
}

async function setSettings(db: Db, { tenantId, accountId }: TestTenant, settings: object): Promise<void> {
  const sealed = testSecrets.seal(
    JSON.stringify({ settings, callbackSecret: 'secret' }),
    settingsPlace(tenantId, accountId),
  );
  await db.updateTable('channel_accounts').set({ settings: sealed }).where('id', '=', accountId).execute();
}

/** A tenant whose account has quiet hours now, and what sends for it. */
async function quietWorld(db: Db, quietHours: object, provider = scripted(() => accepted)) {
  const tenant = await scriptedTenant(db, testSecrets, { quietHours });
  const deps = testDeps(db, provider);
  return { tenant, provider, deps, turn: () => dispatchTurn(tenant.accountId, deps, noSignal) };
}

test('what comes up in quiet hours is sent at their end, with its whole lifetime and no attempt used', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end, ...hours } = quietNow();
  const { tenant, provider, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' });
  const id = await send(db, tenant, { expiresInSeconds: 60 });
  await turn();
  expect(provider.ledger).toEqual([]);
  expect((await metrics.messages.postponed.get()).values).toMatchObject([
    { labels: { provider: 'scripted' }, value: 1 },
  ]);
  const due = await dueOf(db, id);
  expect(due).toMatchObject({ due_at: end, quiet_until: end, attempts: 0, claimed_by: null });
  expect(due!.expires_at.getTime()).toBe(end.getTime() + 60_000);
  const message = await messageOf(db, id);
  expect(message).toMatchObject({ status: 'queued', attempts: 0, expires_at: due!.expires_at });
  expect(message.postponed_ms).toBeCloseTo(end.getTime() - message.created_at.getTime(), -1);
  // The account's next turn is at the end, and not before.
  const [next] = await nextDue(db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(end.getTime() - Date.now() - 10_000);
  await turn();
  expect((await dueOf(db, id))!.attempts).toBe(0);
});

test('at the end it is sent, with its first attempt, and the night is not part of its wait', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end, ...hours } = quietNow();
  const { tenant, provider, deps, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' });
  const id = await send(db, tenant);
  await turn();
  await pass(db, end.getTime() - Date.now() + 1_000);
  await setSettings(db, tenant, {});
  const waits: number[] = [];
  const settle: typeof deps.settle = async (settlement, ...rest) => {
    waits.push(settlement.waitedMs);
    await deps.settle(settlement, ...rest);
  };
  await dispatchTurn(tenant.accountId, { ...deps, settle }, noSignal);
  expect(provider.ledger).toMatchObject([{ messageId: id, attempt: 1 }]);
  expect(waits).toEqual([expect.any(Number)]);
  expect(waits[0]).toBeGreaterThan(500);
  expect(waits[0]).toBeLessThan(60_000);
  expect(await messageOf(db, id)).toMatchObject({ status: 'sent', attempts: 1 });
});

test('an urgent message, and one to a place where it is day, are sent in quiet hours', async () => {
  await using test = await testDatabase();
  const { db } = test;
  // Night in Japan, for the account that goes by the recipient: 14 hours, so never in Brazil, which is 12 hours behind.
  const tokyo = new Date(Math.floor(Date.now() / hourMs) * hourMs + 9 * hourMs);
  const clock = (ms: number) => new Date(tokyo.getTime() + ms).toISOString().slice(11, 16);
  const timeZone = { recipient: true, fallback: 'Asia/Tokyo' };
  const hours = { from: clock(-2 * hourMs), to: clock(3 * hourMs), timeZone };
  const { tenant, provider, turn } = await quietWorld(db, hours);
  const urgent = await send(db, tenant, { to: '+819012345678', urgent: true });
  const night = await send(db, tenant, { to: '+819012345678' });
  const day = await send(db, tenant, { to: '+5511912345678' });
  const unknown = await send(db, tenant, { to: '+88312345678' });
  await turn();
  expect(provider.ledger.map(({ messageId }) => messageId).sort()).toEqual([urgent, day].sort());
  expect((await dueOf(db, night))!.quiet_until).toEqual((await dueOf(db, unknown))!.quiet_until);
});

test('a postponed message can be canceled, and rescheduled with its own lifetime', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end: _, ...hours } = quietNow();
  const { tenant, provider, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' });
  const canceled = await send(db, tenant);
  const moved = await send(db, tenant, { expiresInSeconds: 600 });
  await turn();
  expect((await cancelMessage(db, tenant.tenantId, canceled)).kind).toBe('canceled');
  expect(await messageOf(db, canceled)).toMatchObject({ status: 'failed' });
  const sendAt = new Date(Date.now() + 20_000);
  const change = { tenantId: tenant.tenantId, messageId: moved, sendAt, scheduleDays: 30 };
  expect((await rescheduleMessage(db, change)).kind).toBe('rescheduled');
  const expiry = sendAt.getTime() + 600_000;
  const due = await dueOf(db, moved);
  expect(due).toMatchObject({ due_at: sendAt, quiet_until: null });
  expect(Math.abs(due!.expires_at.getTime() - expiry)).toBeLessThan(5);
  expect(await messageOf(db, moved)).toMatchObject({ expires_at: due!.expires_at, postponed_ms: null });
  await turn();
  expect(provider.ledger).toEqual([]);
});

test('only the holder of the lease postpones, and a night that was counted is not counted again', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end, ...hours } = quietNow();
  const { tenant, deps, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' });
  const id = await send(db, tenant);
  const [claimed] = (await deps.claim(tenant.accountId, { limit: 1, singlesSinceBulk: 0 }))!;
  const stranger = '5f0c1f0e-6b1a-4c7e-9a11-2b3c4d5e6f70';
  const asked = { messageId: id, holder: stranger, until: end.getTime(), since: Date.now() };
  expect(await postponeMessages(db, [asked])).toBe(0);
  expect(await dueOf(db, id)).toMatchObject({ claimed_by: claimed!.holder, attempts: 1, quiet_until: null });
  expect(await postponeMessages(db, [{ ...asked, holder: claimed!.holder }])).toBe(1);
  const first = await dueOf(db, id);
  // Something else makes it due early: it is postponed again, and expires when it would have anyway.
  await sql`update dispatch_due set due_at = now()`.execute(db);
  await turn();
  expect(await dueOf(db, id)).toEqual(first);
});

test('a wait for something else before the quiet hours uses up lifetime', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end, ...hours } = quietNow();
  const { tenant, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' });
  const id = await send(db, tenant, { expiresInSeconds: 86_400 });
  await pass(db, 10 * hourMs);
  await turn();
  const { expires_at: expiresAt } = (await dueOf(db, id))!;
  const left = expiresAt.getTime() - end.getTime();
  expect(Math.abs(left - 14 * hourMs)).toBeLessThan(60_000);
});

test('an attempt that began is settled in quiet hours, and its retry waits with the attempts it has used', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end, ...hours } = quietNow();
  const provider = scripted(() => ({ kind: 'retry', errorCode: 'provider-unavailable', text: 'busy' }));
  const { tenant, deps } = await quietWorld(db, { ...hours, timeZone: 'UTC' }, provider);
  const turn = () => dispatchTurn(tenant.accountId, { ...deps, random: () => 1 }, noSignal);
  await setSettings(db, tenant, {});
  const [tried, takenOver] = [await send(db, tenant), await send(db, tenant)];
  await turn();
  expect(provider.ledger).toHaveLength(2);
  await setSettings(db, tenant, { quietHours: { ...hours, timeZone: 'UTC' } });
  await sql`update dispatch_due set due_at = now()`.execute(db);
  await sql`update dispatch_due set claimed_by = gen_random_uuid(), claimed_until = now() - interval '1 s',
    attempt_began_at = now() where message_id = ${takenOver}`.execute(db);
  await turn();
  expect(provider.ledger).toHaveLength(2);
  expect(await dueOf(db, tried)).toMatchObject({ due_at: end, attempts: 1 });
  const { rows } = await sql<{ outcome: string }>`
    select outcome from attempts where message_id = ${takenOver} order by id`.execute(db);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['retry', 'unknown']);
});

test('the further parts of a text whose first part has left do not wait for the morning', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end: _, ...hours } = quietNow();
  const provider = scripted(() => accepted);
  const adapter = { ...provider.adapter, split: () => ({ texts: ['a', 'b'], segments: 2 }) };
  const { tenant, turn } = await quietWorld(db, { ...hours, timeZone: 'UTC' }, { ...provider, adapter });
  const id = await send(db, tenant);
  await sql`update dispatch_due set part = 1`.execute(db);
  await turn();
  expect(provider.ledger).toMatchObject([{ messageId: id, part: 1 }]);
});

test('a paced account does not spend its pace on messages that it postpones', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { end: _, ...hours } = quietNow();
  const timeZone = { recipient: true, fallback: 'UTC' };
  const { tenant, turn } = await quietWorld(db, { ...hours, timeZone });
  await sql`update channel_accounts set per_second = 1`.execute(db);
  for (let count = 0; count < 20; count += 1) await send(db, tenant, { to: '+88312345678' });
  await turn();
  const { rows } = await sql<{ postponed: number; wait: number }>`
    select (select count(*)::int from dispatch_due where quiet_until is not null) as postponed,
      extract(epoch from paced_until - now())::float8 as wait from channel_accounts`.execute(db);
  expect(rows).toEqual([{ postponed: 20, wait: expect.any(Number) }]);
  expect(rows[0]!.wait).toBeLessThan(1);
});
