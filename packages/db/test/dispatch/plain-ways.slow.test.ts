import type { Decision, Outcome, ReceiptStatus } from '@notify/core';
import { isPlainSuccess, type Settlement, settleMessages, settleSent } from '@notify/db/dispatch';
import { applyReceipts, type NewReceipt, storeReceipts, takeReceipts } from '@notify/db/receipts';
import {
  type DeliverySettlement,
  disableWebhook,
  isPlainDelivery,
  settleDelivered,
  settleDeliveries,
} from '@notify/db/webhooks';
import { addDeliveries, makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { again, claimAs, ended, givenUp, ok } from '../attempts.ts';
import { claim, due, message, send, settlement } from '../dispatching.ts';

/*
 * Plain successes are settled in one statement, and receipts are applied in the commit that takes them. Random
 * histories go both ways, the plain and the general, and must leave the same rows.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

interface Told {
  readonly status: ReceiptStatus;
  readonly by: 'our id' | 'their id';
}

/** The history of one message. */
interface History {
  readonly ends: 'accepted' | 'accepted without id' | 'rejected' | 'retry' | 'unknown';
  /** The lease ends during the call. */
  readonly loses: boolean;
  /** Receipts before and after the settlement. */
  readonly before: readonly Told[];
  readonly after: readonly Told[];
}

const told = fc.record<Told>({
  status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
  by: fc.constantFrom('our id', 'their id'),
});
const history = fc.record<History>({
  ends: fc.oneof(
    { weight: 20, arbitrary: fc.constant('accepted' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'accepted without id' as const,
        'rejected' as const,
        'retry' as const,
        'unknown' as const,
      ),
    },
  ),
  loses: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  before: fc.array(told, { maxLength: 2 }),
  after: fc.array(told, { maxLength: 3 }),
});

/** What the account's status says further. */
const detail = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('could not be verified') },
);

const endings: Record<History['ends'], (index: number) => readonly [Outcome, Decision]> = {
  accepted: (index) => [{ kind: 'accepted', externalId: `ext-${index}` }, { kind: 'sent' }],
  'accepted without id': () => [{ kind: 'accepted', externalId: null }, { kind: 'sent' }],
  rejected: () => [
    { kind: 'rejected', errorCode: 'recipient-unreachable', text: 'no' },
    { kind: 'failed', errorCode: 'recipient-unreachable', text: 'no' },
  ],
  retry: () => [
    { kind: 'retry', errorCode: 'provider-unreachable', text: 'away' },
    { kind: 'retry', afterMs: 60_000 },
  ],
  unknown: () => [
    { kind: 'unknown', text: 'nobody knows' },
    { kind: 'await-receipt', afterMs: 60_000 },
  ],
};

interface Ways {
  take(receipts: readonly NewReceipt[]): Promise<void>;
  settle(settlements: readonly Settlement[]): Promise<void>;
}

const general: Ways = {
  async take(receipts) {
    await applyReceipts(database.db, { kind: 'ids', ids: await storeReceipts(database.db, receipts) });
  },
  async settle(settlements) {
    await settleMessages(database.db, settlements);
  },
};

const plain: Ways = {
  async take(receipts) {
    const { stored } = await takeReceipts(database.db, receipts);
    if (stored.length > 0) await applyReceipts(database.db, { kind: 'ids', ids: stored });
  },
  async settle(settlements) {
    // As a settler does: the plain way takes an account whose attempts are all plain, and may leave some out.
    const plain = settlements.every(isPlainSuccess);
    const { messageIds } = plain ? await settleSent(database.db, settlements) : { messageIds: new Set() };
    const others = settlements.filter((one) => !messageIds.has(one.messageId));
    if (others.length > 0) await settleMessages(database.db, others);
  },
};

/** Lives the histories as one tenant, and returns what its rows say without ids and times. */
async function live(histories: readonly History[], detail: string | null, ways: Ways): Promise<unknown> {
  const { db } = database;
  const tenant = await makeTenant(db);
  await makeWebhook(db, tenant.tenantId);
  // A first success makes the account one that further successes do not change.
  await db
    .updateTable('channel_accounts')
    .set({ last_connected_at: new Date(), status_detail: detail })
    .where('id', '=', tenant.accountId)
    .execute();
  const ids = await send(db, tenant, histories.length);
  const claims = new Map(
    (await claim(db, tenant, { limit: histories.length })).map((claimed) => [claimed.messageId, claimed]),
  );
  const receiptsOf = (which: 'before' | 'after') =>
    histories.flatMap((one, index) =>
      one[which].map(({ status, by }) => ({
        accountId: tenant.accountId,
        messageId: by === 'our id' ? ids[index]! : null,
        externalId: by === 'their id' ? `ext-${index}` : null,
        part: null,
        status,
      })),
    );
  await ways.take(receiptsOf('before'));
  const lost = ids.filter((_, index) => histories[index]!.loses);
  await sql`update dispatch_due set claimed_by = gen_random_uuid() where message_id = any (${lost}::uuid[])`.execute(
    db,
  );
  await ways.settle(
    histories.map(({ ends }, index) => settlement(claims.get(ids[index]!)!, ...endings[ends](index))),
  );
  await applyReceipts(db, {
    kind: 'external',
    messages: histories.map((_, index) => ({ accountId: tenant.accountId, externalId: `ext-${index}` })),
  });
  await ways.take(receiptsOf('after'));
  return snapshot(tenant, ids);
}

async function snapshot(
  { tenantId, accountId }: { readonly tenantId: string; readonly accountId: string },
  ids: readonly string[],
): Promise<unknown> {
  const { db } = database;
  const { rows: messages } = await sql<{ id: string; row: object }>`
    select m.id, jsonb_build_object('status', status, 'error', error, 'code', error_code, 'external', external_id,
      'emitted', emitted, 'attempts', attempts, 'segments', segments, 'duplicate', possible_duplicate,
      'delivered', delivered_parts, 'sent', sent_at is not null, 'arrived', delivered_at is not null,
      'read', read_at is not null, 'failed', failed_at is not null,
      'reports', (select jsonb_agg(r - 'at') from jsonb_array_elements(reports) r),
      'tries', (select jsonb_agg(jsonb_build_array(number, part, outcome, provider_code, text) order by a.id)
        from attempts a where a.message_id = m.id),
      'due', (select jsonb_build_object('held', claimed_by is not null, 'awaiting', awaiting_receipt,
        'attempts', d.attempts, 'later', due_at > now()) from dispatch_due d where d.message_id = m.id),
      'events', (select jsonb_agg(jsonb_build_array(event, sequence, (select count(*) from delivery_due d
        where d.event_id = e.id), e.body::jsonb - 'id' - 'tenantId' - 'messageId' - 'channelAccountId' - 'occurredAt')
        order by sequence) from events e where e.message_id = m.id)
    ) as row from messages m where tenant_id = ${tenantId}`.execute(db);
  const { rows: rest } = await sql<object>`
    select status, status_detail, failures_in_row, lane, paused_until is null as going,
      (select jsonb_agg(jsonb_build_array(r.status, external_id, r.message_id is null) order by r.id)
        from receipts r where r.account_id = a.id) as receipts
    from channel_accounts a where id = ${accountId}`.execute(db);
  const byId = new Map(messages.map(({ id, row }) => [id, row]));
  return [ids.map((id) => byId.get(id)), rest];
}

test('random histories of messages leave the same rows by the plain ways as by the general ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 8 }), detail, async (histories, told) => {
      expect(await live(histories, told, plain)).toEqual(await live(histories, told, general));
    }),
    { numRuns: 150 },
  );
});

test('a receipt whose message another transaction has locked is stored, and nobody waits', async () => {
  const { db } = database;
  const tenant = await makeTenant(db);
  const [id] = await send(db, tenant);
  const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  await db.transaction().execute(async (trx) => {
    await sql`select from messages where id = ${id} for update`.execute(trx);
    const taken = await takeReceipts(db, [{ ...receipt, status: 'delivered' as const }]);
    expect(taken).toMatchObject({ applied: 0, stored: [expect.any(String)] });
  });
});

/** What happens to one delivery of a webhook. */
interface DeliveryHistory {
  readonly ends: 'ok' | 'slow' | 'again' | 'given up';
  /** Its lease ends during the post, and another worker claims it. */
  readonly loses: boolean;
  /** It settles under the generation before the webhook's present one. */
  readonly outdated: boolean;
}

interface WebhookHistory {
  readonly failures: number;
  readonly slow: boolean;
  /** It may have fewer posts in flight than a healthy one. */
  readonly narrowed: boolean;
  readonly disabledMeanwhile: boolean;
  readonly deliveries: readonly DeliveryHistory[];
}

const seldom = fc.oneof(
  { weight: 9, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const webhookHistory = fc.record<WebhookHistory>({
  failures: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 3) },
  ),
  slow: seldom,
  narrowed: seldom,
  disabledMeanwhile: seldom,
  deliveries: fc.array(
    fc.record<DeliveryHistory>({
      ends: fc.oneof(
        { weight: 12, arbitrary: fc.constant('ok' as const) },
        { weight: 1, arbitrary: fc.constantFrom('slow' as const, 'again' as const, 'given up' as const) },
      ),
      loses: seldom,
      outdated: seldom,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type SettleAll = (settlements: readonly DeliverySettlement[]) => Promise<void>;

const byTransaction: SettleAll = async (settlements) => {
  await settleDeliveries(database.db, settlements, () => 0);
};

const plainly: SettleAll = async (settlements) => {
  const mixed = new Set(settlements.filter((one) => !isPlainDelivery(one)).map((one) => one.webhookId));
  const plain = settlements.filter((one) => !mixed.has(one.webhookId));
  const settled = plain.length === 0 ? new Set() : (await settleDelivered(database.db, plain)).deliveryIds;
  const others = settlements.filter((one) => !settled.has(one.deliveryId));
  if (others.length > 0) await byTransaction(others);
};

/** Lives the histories with their own webhooks, and returns what their rows say without ids and times. */
async function deliver(histories: readonly WebhookHistory[], settleAll: SettleAll): Promise<unknown[]> {
  const { db } = database;
  const { tenantId } = await makeTenant(db);
  const settlements: DeliverySettlement[] = [];
  const webhooks: string[] = [];
  for (const { failures, slow, narrowed, disabledMeanwhile, deliveries } of histories) {
    const id = await makeWebhook(db, tenantId);
    webhooks.push(id);
    await sql`update webhooks set failure_count = ${failures}, generation = 2 where id = ${id}`.execute(db);
    await addDeliveries(db, id, deliveries.length);
    const claims = await claimAs(db, id);
    for (const [index, claimed] of claims.entries()) {
      const { ends, loses, outdated } = deliveries[index]!;
      if (loses)
        await sql`update delivery_due set claimed_by = gen_random_uuid() where id = ${claimed.id}`.execute(
          db,
        );
      const decision = ends === 'again' ? again() : ends === 'given up' ? givenUp : ok;
      const durationMs = ends === 'slow' ? 2_500 : 12;
      settlements.push(ended(claimed, decision, { durationMs, generation: outdated ? 1 : 2 }));
    }
    if (narrowed) await sql`update webhooks set at_once = 4 where id = ${id}`.execute(db);
    if (slow) await sql`update webhooks set lane = 'slow', at_once = 1 where id = ${id}`.execute(db);
    if (disabledMeanwhile) await disableWebhook(db, tenantId, id);
  }
  await settleAll(settlements);
  const { rows } = await sql<{ id: string }>`
    select w.id, w.is_active, w.failure_count, w.failing_since is null as fine, w.lane, w.at_once,
      w.last_triggered_at is not null as triggered,
      (select jsonb_agg(jsonb_build_array(attempts, claimed_by is not null) order by id) from delivery_due
        where webhook_id = w.id) as waiting,
      (select jsonb_agg(jsonb_build_array(state, reason, attempts) order by id) from deliveries
        where webhook_id = w.id) as ended,
      (select jsonb_agg(jsonb_build_array(number, status, error, answer, duration_ms) order by delivery_id, id)
        from delivery_attempts where webhook_id = w.id) as posts
    from webhooks w where tenant_id = ${tenantId}`.execute(db);
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return webhooks.map((id) => byId.get(id));
}

test('random histories of deliveries leave the same rows by one statement as by the transaction', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(webhookHistory, { minLength: 1, maxLength: 4 }), async (histories) => {
      expect(await deliver(histories, plainly)).toEqual(await deliver(histories, byTransaction));
    }),
    { numRuns: 150 },
  );
});

test('a receipt may overtake the settlement of its attempt, which then still counts', async () => {
  const { db } = database;
  const tenant = await makeTenant(db);
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  await plain.take([{ ...receipt, status: 'delivered' as const }]);
  expect(await message(db, id!)).toMatchObject({ status: 'delivered', attempts: 1 });
  await plain.settle([settlement(claimed!, ...endings.accepted(1))]);
  expect(await message(db, id!)).toMatchObject({ status: 'delivered', attempts: 1, external_id: 'ext-1' });
  expect(await due(db, id!)).toBeUndefined();
});

test('a receipt that names a message of another account changes nothing of it', async () => {
  const { db } = database;
  const [tenant, other] = [await makeTenant(db), await makeTenant(db)];
  const [id] = await send(db, tenant);
  await claim(db, tenant);
  const before = await message(db, id!);
  const foreign = { accountId: other.accountId, messageId: id!, externalId: null, part: null };
  const taken = await takeReceipts(db, [{ ...foreign, status: 'delivered' as const }]);
  expect(taken).toMatchObject({ applied: 0, stored: [expect.any(String)] });
  expect(await message(db, id!)).toEqual(before);
});
