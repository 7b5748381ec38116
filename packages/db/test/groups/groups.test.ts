import type { Db } from '@notify/db/connection';
import { deleteAccount } from '@notify/db/accounts';
import { settleMessages } from '@notify/db/dispatch';
import { dueGroups, nextGroups, overdueGroups, putOffGroup } from '@notify/db/groups';
import { purgeTenants, removeOldGroups } from '@notify/db/maintenance';
import { deleteTenant } from '@notify/db/tenants';
import { endGroup } from '../../src/groups/move.ts';
import { cancelMessage, failExpired } from '@notify/db/messages';
import { storeReceipts, takeReceipts } from '@notify/db/receipts';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { claim, due, endLease, message, settle, settlement, unknown } from '../dispatching.ts';
import { inTime } from '../messages/scheduling.ts';
import { acceptOwn, move, passFor, sendGroup, standing, textGroup } from './grouping.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  tenant = await makeTenant(db);
});

/** The provider takes what is due. */
async function take(externalId: string): Promise<void> {
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, { kind: 'accepted', externalId }, { kind: 'sent' });
}

const refusal = { kind: 'rejected', errorCode: 'blocked', text: 'blocked' } as const;
async function refuse(): Promise<void> {
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, refusal, { kind: 'failed', errorCode: 'blocked', text: 'blocked' });
}

const receipt = (messageId: string, status: 'delivered' | 'failed') => ({
  accountId: tenant.accountId,
  messageId,
  externalId: null,
  part: null,
  status,
});

/** The bodies of the group's events, in order, without what differs each time. */
async function told(groupId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ body: string }>`
    select body from events where body like ${`%grp_${groupId}%`} order by id`.execute(db);
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

test('a route that fails is followed by the next one, and a delivered one ends the group', async () => {
  await makeWebhook(db, tenant.tenantId, { events: ['group.delivered'] });
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 3));
  expect(await standing(db, groupId)).toMatchObject({ status: 'pending', messages: ['queued'], due: 1 });
  await refuse();
  expect(await move(db, groupId)).toMatchObject({ status: 'pending', accounts: [{ id: tenant.accountId }] });
  expect(await standing(db, groupId)).toMatchObject({
    messages: ['failed blocked', 'queued'],
    left: ['failed'],
  });
  await take('ext-a');
  await move(db, groupId);
  const { ids } = await standing(db, groupId);
  expect(ids[0]).toBe(messageId);
  await takeReceipts(db, [receipt(ids[1]!, 'delivered')]);
  expect(await move(db, groupId)).toMatchObject({
    status: 'delivered',
    isNew: true,
    webhooks: [{ lane: 'fast' }],
  });
  expect(await standing(db, groupId)).toEqual({
    status: 'delivered',
    ended: true,
    twice: false,
    ids,
    left: ['failed'],
    told: ['group.delivered'],
    due: 0,
    messages: ['failed blocked', 'delivered'],
  });
  const events = await told(groupId);
  expect(events.map(({ event, messageId: id, groupId: of }) => [event, id, of])).toEqual([
    ...['queued', 'failed'].map((kind) => [`message.${kind}`, `msg_${ids[0]}`, `grp_${groupId}`]),
    ...['queued', 'sent', 'delivered'].map((kind) => [`message.${kind}`, `msg_${ids[1]}`, `grp_${groupId}`]),
    ['group.delivered', `msg_${ids[1]}`, `grp_${groupId}`],
  ]);
  expect(events.at(-1)).toEqual({
    event: 'group.delivered',
    groupId: `grp_${groupId}`,
    messageId: `msg_${ids[1]}`,
    id: expect.stringMatching(/^evt_/),
    tenantId: `ten_${tenant.tenantId}`,
    channelAccountId: tenant.accountId,
    provider: 'sms',
    to: '+15550002001',
    type: 'text',
    status: 'delivered',
    errorCode: null,
    deliveredTwice: false,
    occurredAt: expect.any(String),
    sequence: 1,
  });
});

test('when every route has failed, the group fails, and says why', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await refuse();
  await move(db, groupId);
  await refuse();
  expect(await move(db, groupId)).toMatchObject({ status: 'failed', isNew: true });
  expect(await standing(db, groupId)).toMatchObject({ ended: true, due: 0, told: ['group.failed'] });
  expect((await told(groupId)).at(-1)).toMatchObject({
    event: 'group.failed',
    error: 'blocked',
    errorCode: 'blocked',
    status: 'failed',
  });
});

test('a route that waits when its time is over is given up, and claimed no more', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  expect(await move(db, groupId)).toMatchObject({ status: 'pending' });
  expect((await standing(db, groupId)).ids).toEqual([messageId]);
  await passFor(db, groupId, 61);
  expect(await claim(db, tenant)).toEqual([]);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    messages: ['failed expired', 'queued'],
    left: ['time-over'],
  });
});

test('the sweeper may expire it first', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await passFor(db, groupId, 61);
  expect(await failExpired(db, 10)).toMatchObject({
    count: 1,
    groups: [{ id: tenant.tenantId, lane: 'fast' }],
  });
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    messages: ['failed expired', 'queued'],
    left: ['time-over'],
  });
});

test('a call in progress is waited for until its lease ends, and its outcome counts', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  const [claimed] = await claim(db, tenant);
  await passFor(db, groupId, 61);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['queued'], due: 1 });
  await settle(db, claimed!, { kind: 'accepted', externalId: 'late' }, { kind: 'sent' });
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['sent', 'queued'], left: ['time-over'] });
});

test('when the lease ends without an outcome, it is unknown, and the next route begins', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await claim(db, tenant);
  await passFor(db, groupId, 61);
  await endLease(db);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['failed outcome-unknown', 'queued'] });
});

test.each(['await-receipt', 'resend'] as const)(
  'the repeat after an unknown outcome (%s) is canceled with its route',
  async (kind) => {
    const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
    const [claimed] = await claim(db, tenant);
    await settle(db, claimed!, unknown, { kind, afterMs: 300_000, possibleDuplicate: true });
    await move(db, groupId);
    expect(await standing(db, groupId)).toMatchObject({ messages: ['queued'] });
    await passFor(db, groupId, 61);
    await move(db, groupId);
    expect(await standing(db, groupId)).toMatchObject({ messages: ['failed outcome-unknown', 'queued'] });
    expect(await due(db, messageId)).toBeUndefined();
  },
);

test('a route that was sent may still arrive: before the next one was sent that one is canceled, after it both count', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  await take('ext-1');
  await passFor(db, groupId, 61);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['sent', 'queued'], left: ['time-over'] });
  await takeReceipts(db, [receipt(messageId, 'delivered')]);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    status: 'delivered',
    messages: ['delivered', 'failed canceled'],
    twice: false,
    due: 0,
  });

  const second = await sendGroup(db, textGroup(tenant, 2));
  await take('ext-2');
  await passFor(db, second.groupId, 61);
  await move(db, second.groupId);
  await take('ext-3');
  const { ids } = await standing(db, second.groupId);
  await takeReceipts(db, [receipt(ids[1]!, 'delivered')]);
  await move(db, second.groupId);
  await takeReceipts(db, [receipt(ids[0]!, 'delivered')]);
  await move(db, second.groupId);
  expect(await standing(db, second.groupId)).toMatchObject({
    status: 'delivered',
    twice: true,
    told: ['group.delivered'],
  });
});

test('when it is delivered while the next one is in a call, that one is called no more', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  await take('ext-1');
  await passFor(db, groupId, 61);
  await move(db, groupId);
  const [claimed] = await claim(db, tenant);
  await takeReceipts(db, [receipt(messageId, 'delivered')]);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ status: 'delivered', ended: true, due: 1 });
  const busy = { kind: 'retry', errorCode: 'busy', text: 'busy' } as const;
  await settle(db, claimed!, busy, { kind: 'retry', afterMs: 0 });
  expect(await claim(db, tenant)).toEqual([]);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['delivered', 'failed canceled'], due: 0 });
});

test('a provider that never reports a delivery has done enough once it has the message', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await take('ext-1');
  expect(await move(db, groupId, false)).toMatchObject({ status: 'sent', isNew: true });
  expect(await standing(db, groupId)).toMatchObject({ ended: true, due: 0, told: [] });
});

test('the last route ends the group once it is sent, and receipts still count', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 1));
  await take('ext-1');
  expect(await move(db, groupId)).toMatchObject({ status: 'sent' });
  expect(await standing(db, groupId)).toMatchObject({ ended: true, due: 0 });
  await takeReceipts(db, [receipt(messageId, 'failed')]);
  expect(await move(db, groupId)).toMatchObject({ status: 'failed' });
  await takeReceipts(db, [receipt(messageId, 'delivered')]);
  expect(await move(db, groupId)).toMatchObject({ status: 'delivered' });
  expect(await standing(db, groupId)).toMatchObject({ told: ['group.failed', 'group.delivered'], due: 0 });
});

test('no route begins while a receipt is stored and not applied', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  await take('ext-unread');
  await passFor(db, groupId, 61);
  const ids = await storeReceipts(db, [receipt(messageId, 'delivered')]);
  expect(await move(db, groupId)).toMatchObject({ unread: { ids, external: [] } });
  expect(await standing(db, groupId)).toMatchObject({ messages: ['sent'], due: 1 });
  await sql`delete from receipts`.execute(db);
  await storeReceipts(db, [
    { ...receipt(messageId, 'delivered'), messageId: null, externalId: 'ext-unread' },
  ]);
  expect(await move(db, groupId)).toMatchObject({
    unread: { external: [{ accountId: tenant.accountId, externalId: 'ext-unread' }] },
  });
  await sql`delete from receipts`.execute(db);
});

test('a canceled message ends its group', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  expect(await cancelMessage(db, tenant.tenantId, messageId)).toMatchObject({
    kind: 'canceled',
    groups: [{ id: tenant.tenantId }],
  });
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    status: 'failed',
    messages: ['failed canceled'],
    told: ['group.failed'],
    due: 0,
  });
});

test('a group that is over begins no further route', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 3, { expiresInSeconds: 90 }));
  await passFor(db, groupId, 61);
  await move(db, groupId);
  const { ids } = await standing(db, groupId);
  const { expires_at: until } = await message(db, ids[1]!);
  expect(until.getTime() - Date.now()).toBeLessThan(30_000);
  await passFor(db, groupId, 30);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    status: 'failed',
    messages: ['failed expired', 'failed expired'],
    due: 0,
  });
});

test('a route whose account was removed fails, and the group goes on', async () => {
  const gone = await makeTenant(db);
  const group = textGroup(tenant, 3);
  await sql`update channel_accounts set tenant_id = ${tenant.tenantId}, is_default = false
    where id = ${gone.accountId}`.execute(db);
  const routes = group.routes.map((route, at) =>
    at === 1 ? { ...route, accountId: gone.accountId } : route,
  );
  const { groupId } = await sendGroup(db, { ...group, routes });
  await sql`update channel_accounts set deleted_at = now() where id = ${gone.accountId}`.execute(db);
  await refuse();
  await move(db, groupId);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({
    messages: ['failed blocked', 'failed channel-account-not-found', 'queued'],
    left: ['failed', 'failed'],
  });
});

test.each([
  ['reports deliveries is followed by the next one at the end of its time', true],
  ['never reports one has done enough', false],
])(
  'a route whose account was removed after its message was sent, of a provider that %s',
  async (_what, reports) => {
    const gone = await makeTenant(db);
    await sql`update channel_accounts set tenant_id = ${tenant.tenantId}, is_default = false
    where id = ${gone.accountId}`.execute(db);
    const group = textGroup(tenant, 2);
    const routes = group.routes.map((route, at) =>
      at === 0 ? { ...route, accountId: gone.accountId } : route,
    );
    const { groupId } = await sendGroup(db, { ...group, routes });
    const [claimed] = await claim(db, { ...tenant, accountId: gone.accountId });
    await settle(
      db,
      claimed!,
      { kind: 'accepted', externalId: `ext-gone-${String(reports)}` },
      { kind: 'sent' },
    );
    await deleteAccount(db, tenant.tenantId, gone.accountId);
    await move(db, groupId, reports);
    expect(await standing(db, groupId)).toMatchObject({
      status: reports ? 'pending' : 'sent',
      ended: !reports,
      messages: ['sent'],
    });
    await passFor(db, groupId, 61);
    await move(db, groupId, reports);
    expect(await standing(db, groupId)).toMatchObject(
      reports
        ? { status: 'pending', messages: ['sent', 'queued'], left: ['time-over'] }
        : { status: 'sent', messages: ['sent'], left: [] },
    );
  },
);

test('the whole group is refused for one of its routes, which is named', async () => {
  const group = textGroup(tenant, 2);
  const other = { ...group.routes[1]!, channel: 'telegram', accountId: null } as const;
  expect(await acceptOwn(db, { ...group, routes: [group.routes[0]!, other] })).toEqual({
    kind: 'refused',
    code: 'channel-not-connected',
    route: 1,
  });
  const unknownAccount = { ...group.routes[0]!, accountId: tenant.tenantId };
  expect(await acceptOwn(db, { ...group, routes: [unknownAccount, other] })).toMatchObject({
    code: 'channel-account-not-found',
    route: 0,
  });
  expect(await acceptOwn(db, { ...group, keyId: tenant.tenantId })).toMatchObject({
    code: 'invalid-api-key',
    route: null,
  });
  expect(
    await db.selectFrom('message_groups').selectAll().where('tenant_id', '=', tenant.tenantId).execute(),
  ).toEqual([]);
});

test('a repeated key answers the first group, however many race, and another request is refused', async () => {
  const group = textGroup(tenant, 2, { idempotencyKey: 'once' });
  const all = await Promise.all(Array.from({ length: 8 }, () => acceptOwn(db, group)));
  const ids = all.map((one) => (one.kind === 'accepted' ? one.groupId : one.code));
  expect(new Set(ids).size).toBe(1);
  expect(all.filter((one) => one.kind === 'accepted' && !one.repeated)).toHaveLength(1);
  expect(await acceptOwn(db, { ...group, requestHash: 'cd'.repeat(32) })).toMatchObject({
    code: 'idempotency-key-reused',
    route: null,
  });
  await sql`update idempotency_keys set created_at = now() - interval '8 days'`.execute(db);
  await refuse();
  await move(db, ids[0]!);
  expect(await acceptOwn(db, group)).toMatchObject({ groupId: ids[0], repeated: true });
});

test('a group for later waits with its first route', async () => {
  const sendAt = await inTime(db, 3_600_000);
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2, { sendAt }));
  const { rows } = await sql<{ ends: Date; expires: Date }>`
    select route_ends_at as ends, expires_at as expires from message_groups where id = ${groupId}`.execute(
    db,
  );
  expect(rows[0]!.ends.getTime() - sendAt.getTime()).toBe(60_000);
  expect(rows[0]!.expires.getTime() - sendAt.getTime()).toBe(86_400_000);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ messages: ['queued'], due: 1 });
  await cancelMessage(db, tenant.tenantId, messageId);
  await move(db, groupId);
  expect(await standing(db, groupId)).toMatchObject({ status: 'failed', due: 0 });
});

test('a group that is ended from outside cancels what waits, and tells nothing of itself', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await db.transaction().execute((trx) => endGroup(trx, groupId));
  expect(await standing(db, groupId)).toMatchObject({ status: 'failed', ended: true, due: 0, told: [] });
  expect(await claim(db, tenant)).toEqual([]);

  const called = await sendGroup(db, textGroup(tenant, 2));
  const [claimed] = await claim(db, tenant);
  await db.transaction().execute((trx) => endGroup(trx, called.groupId));
  expect(await standing(db, called.groupId)).toMatchObject({ ended: true, messages: ['queued'], due: 1 });
  const busy = { kind: 'retry', errorCode: 'busy', text: 'busy' } as const;
  await settleMessages(db, [settlement(claimed!, busy, { kind: 'retry', afterMs: 0 })]);
  expect(await claim(db, tenant)).toEqual([]);
  await move(db, called.groupId);
  expect(await standing(db, called.groupId)).toMatchObject({ status: 'failed', due: 0, told: [] });
});

test('an old group goes once it has ended, and what calls for it later is forgotten', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 1));
  await removeOldGroups(db, -1);
  expect(await standing(db, groupId)).toMatchObject({ status: 'pending' });
  await take('ext-1');
  await move(db, groupId);
  expect(await removeOldGroups(db, -1)).toBeGreaterThan(0);
  await takeReceipts(db, [receipt(messageId, 'delivered')]);
  expect(await dueGroups(db, tenant.tenantId, 10, [])).toEqual([groupId]);
  expect(await move(db, groupId)).toBeNull();
  expect(await dueGroups(db, tenant.tenantId, 10, [])).toEqual([]);
});

test('the groups of a deleted tenant go with it', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  await deleteTenant(db, tenant.tenantId);
  await purgeTenants(db);
  const { rows } = await sql`
    select from message_groups where id = ${groupId} union all select from group_due where group_id = ${groupId}`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

test('a turn is told when a tenant’s groups are due, and a lost wake is found', async () => {
  const { groupId } = await sendGroup(db, textGroup(tenant, 2));
  const [next] = await nextGroups(db, [tenant.tenantId]);
  expect(next).toMatchObject({ id: tenant.tenantId, lane: 'fast' });
  expect(next!.delayMs).toBeGreaterThan(58_000);
  expect((await overdueGroups(db, 0)).map(({ id }) => id)).not.toContain(tenant.tenantId);
  await passFor(db, groupId, 63);
  expect(await nextGroups(db, [tenant.tenantId])).toMatchObject([{ delayMs: 0 }]);
  expect(await overdueGroups(db, 2_000)).toContainEqual({ id: tenant.tenantId, lane: 'fast' });
  expect(await dueGroups(db, tenant.tenantId, 10, [groupId])).toEqual([]);
  await putOffGroup(db, groupId, 5_000);
  expect(await dueGroups(db, tenant.tenantId, 10, [])).toEqual([]);
});

test('a wake for a time before the one that is planned comes at once', async () => {
  const long = await acceptOwn(db, textGroup(tenant, 2));
  expect(long).toMatchObject({ groups: [{ id: tenant.tenantId, delayMs: expect.any(Number) }] });
  expect(await acceptOwn(db, textGroup(tenant, 2, { advanceAfterSeconds: 10 }))).toMatchObject({
    groups: [{ delayMs: 0 }],
  });
});
