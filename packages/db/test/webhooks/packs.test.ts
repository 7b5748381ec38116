import type { Db } from '@notify/db/connection';
import { purgeTenants } from '@notify/db/maintenance';
import {
  changeWebhook,
  type ClaimedDelivery,
  type DeliveryDecision,
  deliveryRequest,
  expireDeliveries,
  listDeliveries,
  nextDeliveries,
  overdueWebhooks,
  type Packing,
  releaseDeliveries,
  replayBatch,
  retryDelivery,
  settleDeliveries,
  startReplay,
  testWebhook,
} from '@notify/db/webhooks';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  type TestDatabase,
  testDatabase,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import { again, claimAs, ended, givenUp, ok, toFastLane } from '../attempts.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  ({ tenantId } = await makeTenant(db));
});
afterAll(() => database[Symbol.asyncDispose]());

const packing = (maxEvents = 100, maxWaitMs = 0): Packing => ({ maxEvents, maxWaitMs });
const taking = (packs: Packing) => makeWebhook(db, tenantId, { packing: packs });
const rows = (webhookId: string) =>
  db.selectFrom('delivery_due').selectAll().where('webhook_id', '=', webhookId).orderBy('id').execute();
const list = (webhookId: string, query: object = {}) =>
  listDeliveries(db, { tenantId, webhookId, limit: 50, ...query });
const endLeases = (webhookId: string) =>
  sql`update delivery_due set claimed_until = now() - interval '1 s' where webhook_id = ${webhookId}`.execute(
    db,
  );
const allDue = (webhookId: string) =>
  sql`update delivery_due set due_at = now() where webhook_id = ${webhookId}`.execute(db);
/** It reads all webhooks of the database, also those of the other tests. */
const overdue = async (webhookId: string) =>
  (await overdueWebhooks(db, 2_000)).filter(({ id }) => id === webhookId);
const indexesOf = (one: ClaimedDelivery | undefined) =>
  (JSON.parse(one!.body) as { events: { index: number }[] }).events.map(({ index }) => index);

/** Settles as a failing attempt, which pauses the webhook or takes it to another lane. */
async function fail(claimed: ClaimedDelivery, decision: DeliveryDecision): Promise<void> {
  await settleDeliveries(db, [ended(claimed, decision)]);
  await toFastLane(db, claimed.webhook.id);
}

async function claimOne(webhookId: string): Promise<ClaimedDelivery> {
  const claims = await claimAs(db, webhookId);
  expect(claims).toHaveLength(1);
  return claims[0]!;
}

describe('a claim', () => {
  test('takes what is due in one pack, whose body is the bodies of single posts', async () => {
    const id = await taking(packing());
    const ids = await addDeliveries(db, id, 3);
    const claimed = await claimOne(id);
    expect(claimed).toMatchObject({ id: ids[0], attempts: 0, state: 'call', pack: { deliveryIds: ids } });
    expect(claimed.body).toBe(
      `{"id":"bat_${claimed.pack!.id}","events":[{"event":"message.sent","index":0},{"event":"message.sent","index":1},{"event":"message.sent","index":2}]}`,
    );
    expect(await claimAs(db, id)).toEqual([]);
  });

  test('puts at most as many events in a pack as the webhook takes, and at most 1 MB', async () => {
    const id = await taking(packing(4));
    await addDeliveries(db, id, 5);
    expect(indexesOf(await claimOne(id))).toEqual([0, 1, 2, 3]);
    expect(indexesOf(await claimOne(id))).toEqual([4]);

    const large = await taking(packing());
    const body = (index: number) => JSON.stringify({ index, text: 'x'.repeat(400_000) });
    await addDeliveries(db, large, 3, body);
    const first = await claimOne(large);
    expect(indexesOf(first)).toEqual([0, 1]);
    expect(Buffer.byteLength(first.body)).toBeLessThanOrEqual(1_000_000);
    const alone = await taking(packing());
    await addDeliveries(db, alone, 2, () => JSON.stringify({ index: 0, text: 'é'.repeat(600_000) }));
    expect(indexesOf(await claimOne(alone))).toEqual([0]);
  });

  test('orders the events of a message by their sequence', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 4);
    const events = (await rows(id)).map((row) => row.event_id);
    await sql`update events set message_id = '0199c1de-8f3a-7d64-9b0e-5a2f6c1b7e10',
      sequence = case id when ${events[0]}::uuid then 3 when ${events[2]}::uuid then 1 else 2 end
      where id = any (${[events[0], events[2], events[3]]}::uuid[])`.execute(db);
    expect(indexesOf(await claimOne(id))).toEqual([2, 1, 3, 0]);
  });

  test('waits for others until the pack is full or the oldest has waited as long as it may', async () => {
    const id = await taking(packing(3, 60_000));
    await addDeliveries(db, id, 2);
    expect(await claimAs(db, id)).toEqual([]);
    const [next] = await nextDeliveries(db, [id]);
    expect(next!.delayMs).toBeGreaterThan(1_000);
    const [line] = await list(id);
    expect(line!.nextAttemptAt!.getTime() - line!.createdAt.getTime()).toBe(60_000);
    await sql`update delivery_due set due_at = now() - interval '30 s' where webhook_id = ${id}`.execute(db);
    expect(await overdue(id)).toEqual([]);
    await addDeliveries(db, id, 2);
    expect(await nextDeliveries(db, [id])).toEqual([{ id, lane: 'fast', delayMs: 0 }]);
    expect(indexesOf(await claimOne(id))).toEqual([0, 1, 0]);
    expect(await claimAs(db, id)).toEqual([]);
    await sql`update delivery_due set due_at = now() - interval '70 s' where claimed_by is null and webhook_id = ${id}`.execute(
      db,
    );
    expect(await overdue(id)).toEqual([{ id, lane: 'fast' }]);
    expect(indexesOf(await claimOne(id))).toEqual([1]);
  });

  test('keeps to the packs that the webhook may have in flight', async () => {
    const id = await taking(packing(2));
    await sql`update webhooks set at_once = 2 where id = ${id}`.execute(db);
    await addDeliveries(db, id, 6);
    await claimOne(id);
    await claimOne(id);
    expect(await claimAs(db, id)).toEqual([]);
    const [next] = await nextDeliveries(db, [id]);
    expect(next!.delayMs).toBeGreaterThan(5_000);
    await endLeases(id);
    expect(await claimOne(id)).toMatchObject({ state: 'taken-over' });
  });

  test('posts a test event in a pack of its own, also one that the version before made', async () => {
    const id = await taking(packing(10, 60_000));
    await addDeliveries(db, id, 1);
    const tested = await testWebhook(db, tenantId, id);
    expect(await claimOne(id)).toMatchObject({ isTest: true, pack: { deliveryIds: [expect.any(String)] } });
    expect(tested).toMatchObject({ kind: 'waits' });
    await testWebhook(db, tenantId, id);
    await sql`update delivery_due set pack_id = null, leads_pack = null, due_at = now() - interval '61 s' where webhook_id = ${id}`.execute(
      db,
    );
    const claims = [await claimOne(id), await claimOne(id)];
    expect(claims.map(({ isTest, pack }) => [isTest, pack!.deliveryIds.length])).toEqual([
      [false, 1],
      [true, 1],
    ]);
  });

  test('of a webhook with single posts packs nothing', async () => {
    const id = await makeWebhook(db, tenantId);
    await addDeliveries(db, id, 2);
    const claims = await claimAs(db, id);
    expect(claims.map(({ pack }) => pack)).toEqual([undefined, undefined]);
  });
});

describe('a pack', () => {
  test('keeps id and contents over a takeover, a release and a retry, whatever comes meanwhile', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 3);
    const first = await claimOne(id);
    await addDeliveries(db, id, 2);
    await endLeases(id);
    const second = await claimOne(id);
    expect(second).toMatchObject({ body: first.body, state: 'taken-over', attempts: 0 });
    await releaseDeliveries(db, [second]);
    const third = await claimOne(id);
    expect(third).toMatchObject({ body: first.body, state: 'call' });
    await fail(third, again());
    expect(indexesOf(await claimOne(id))).toEqual([0, 1]);
    await allDue(id);
    expect(await claimOne(id)).toMatchObject({ body: first.body, attempts: 1 });
  });

  test('is one attempt, and ends as a whole', async () => {
    const id = await taking(packing());
    const ids = await addDeliveries(db, id, 3);
    const claimed = await claimOne(id);
    await fail(claimed, again());
    const attempts = () =>
      db
        .selectFrom('delivery_attempts')
        .select(['delivery_id', 'number', 'status'])
        .where('webhook_id', '=', id)
        .orderBy('number')
        .execute();
    const packId = claimed.pack!.id;
    expect(await attempts()).toEqual([{ delivery_id: packId, number: 1, status: 500 }]);
    expect(new Set((await rows(id)).map((row) => `${row.attempts} ${row.due_at.getTime()}`)).size).toBe(1);
    expect((await webhookRow(db, id)).failure_count).toBe(1);
    await allDue(id);
    await settleDeliveries(db, [ended(await claimOne(id), ok)]);
    expect(await attempts()).toEqual([
      { delivery_id: packId, number: 1, status: 500 },
      { delivery_id: packId, number: 2, status: 200 },
    ]);
    expect(await rows(id)).toEqual([]);
    const [line, ...others] = await list(id);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      id: ids[0],
      state: 'delivered',
      pack: { id: packId, events: 3 },
      attempts: [
        { number: 1, ofPack: true, answer: 'said' },
        { number: 2, ofPack: true },
      ],
    });
    const request = await deliveryRequest(db, tenantId, id, line!);
    expect(request!.events.map((one) => one.deliveryId)).toEqual(ids);
    expect(request!.body).toBe(claimed.body);
    expect(await list(id, { id: ids[2] })).toMatchObject([{ id: ids[2], pack: { id: packId } }]);
  });

  test('counts as delivered by whoever posted it, and once', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 2);
    const first = await claimOne(id);
    await endLeases(id);
    const second = await claimOne(id);
    expect(await settleDeliveries(db, [ended(first, ok)])).toBe(1);
    expect(await settleDeliveries(db, [ended(second, again())])).toBe(1);
    expect(await rows(id)).toEqual([]);
    expect((await list(id)).map(({ state }) => state)).toEqual(['delivered']);
  });

  test('fails as a whole', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 2);
    await fail(await claimOne(id), givenUp);
    expect(await list(id)).toMatchObject([
      { state: 'failed', reason: 'attempts-exhausted', pack: { events: 2 } },
    ]);
  });

  test('is cut in two with new ids that are due at once, down to one event, and the webhook is no worse for it', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 3);
    const first = await claimOne(id);
    await settleDeliveries(db, [ended(first, { kind: 'cut' }, { status: 413 })]);
    const one = await claimOne(id);
    const two = await claimOne(id);
    expect([indexesOf(one), indexesOf(two)]).toEqual([[0], [1, 2]]);
    expect(new Set([first, one, two].map(({ pack }) => pack!.id)).size).toBe(3);
    expect([one.attempts, two.attempts]).toEqual([0, 0]);
    expect((await webhookRow(db, id)).failure_count).toBe(0);
    await settleDeliveries(db, [ended(one, ok), ended(two, { kind: 'cut' }, { status: 413 })]);
    expect([indexesOf(await claimOne(id)), indexesOf(await claimOne(id))]).toEqual([[1], [2]]);
    expect(await list(id)).toHaveLength(3);
  });

  test('that lost a delivery is packed anew under another id', async () => {
    const id = await taking(packing());
    const ids = await addDeliveries(db, id, 3);
    const first = await claimOne(id);
    await sql`delete from delivery_due where id = ${ids[0]}`.execute(db);
    await endLeases(id);
    const second = await claimOne(id);
    expect(second.pack!.id).not.toBe(first.pack!.id);
    expect(second.pack!.deliveryIds).toEqual(ids.slice(1));
    await endLeases(id);
    expect((await claimOne(id)).body).toBe(second.body);
  });

  test('without an event leaves it out under another id', async () => {
    const id = await taking(packing());
    const ids = await addDeliveries(db, id, 2);
    const first = await claimOne(id);
    await sql`delete from events where id = (select event_id from delivery_due where id = ${ids[0]})`.execute(
      db,
    );
    await endLeases(id);
    const second = await claimOne(id);
    expect(second.pack).toEqual({ id: expect.not.stringMatching(first.pack!.id), deliveryIds: [ids[1]] });
    expect((await rows(id)).map((row) => row.id)).toEqual([ids[1]]);
    await endLeases(id);
    expect((await claimOne(id)).body).toBe(second.body);
    await settleDeliveries(db, [ended(second, ok)]);
    expect(await list(id)).toMatchObject([{ id: ids[1], pack: { events: 1 } }]);
  });

  test('expires as a whole, from when it was made', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 2);
    await fail(await claimOne(id), again());
    await sql`update webhooks set failure_count = 5 where id = ${id}`.execute(db);
    await sql`update delivery_due set created_at = now() - interval '4 days'
      where webhook_id = ${id} and leads_pack`.execute(db);
    expect(await expireDeliveries(db)).toBe(0);
    const old = '01900000-0000-7000-8000-000000000000';
    await sql`update delivery_due set created_at = now() - interval '4 days', pack_id = ${old}
      where webhook_id = ${id}`.execute(db);
    expect(await expireDeliveries(db)).toBe(2);
    expect(await list(id)).toMatchObject([{ state: 'failed', reason: 'expired' }]);
  });
});

describe('a failing webhook', () => {
  test('is probed with one pack', async () => {
    const id = await taking(packing(2));
    await addDeliveries(db, id, 4);
    await sql`update webhooks set failure_count = 5, failing_since = now() where id = ${id}`.execute(db);
    const probe = await claimOne(id);
    expect(probe.webhook.probe).toBe(true);
    expect(await claimAs(db, id)).toEqual([]);
    await settleDeliveries(db, [ended(probe, ok)]);
    expect(await webhookRow(db, id)).toMatchObject({ failure_count: 0, paused_until: null });
  });
});

describe('a change', () => {
  test.each([
    ['of the URL', { url: 'https://example.com/other' }],
    ['of the packing', { packing: packing(50) }],
  ])('%s packs anew what waits, and what is in flight if it fails', async (_, change) => {
    const id = await taking(packing());
    await addDeliveries(db, id, 4);
    await sql`update webhooks set pack_max_events = 2 where id = ${id}`.execute(db);
    const [waits, flies] = [await claimOne(id), await claimOne(id)];
    await sql`update webhooks set pack_max_events = 100 where id = ${id}`.execute(db);
    await fail(waits, again());
    await changeWebhook(db, tenantId, id, change);
    await fail(flies, again());
    await allDue(id);
    const both = await claimOne(id);
    expect(both.pack!.deliveryIds).toHaveLength(4);
    expect([waits.pack!.id, flies.pack!.id]).not.toContain(both.pack!.id);
  });

  test('to single posts posts each, and back', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 2);
    await fail(await claimOne(id), again());
    await changeWebhook(db, tenantId, id, { packing: null });
    await allDue(id);
    const claims = await claimAs(db, id);
    expect(claims.map(({ pack, attempts }) => [pack, attempts])).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
    for (const one of claims) await fail(one, again());
    await changeWebhook(db, tenantId, id, { packing: packing() });
    await allDue(id);
    const claimed = await claimOne(id);
    expect(claimed).toMatchObject({
      attempts: 2,
      pack: { deliveryIds: [expect.any(String), expect.any(String)] },
    });
    await settleDeliveries(db, [ended(claimed, ok)]);
    expect((await list(id))[0]!.attempts.map(({ number, ofPack }) => [number, ofPack])).toEqual([
      [2, false],
      [3, true],
    ]);
  });

  test('of anything else leaves packs as they are', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 2);
    const first = await claimOne(id);
    await fail(first, again());
    await changeWebhook(db, tenantId, id, {
      description: 'x',
      url: 'https://example.com/hook',
      packing: packing(),
    });
    await allDue(id);
    expect((await claimOne(id)).body).toBe(first.body);
  });
});

describe('a retry by hand', () => {
  test('of a delivery posts a pack of that one, which waits for no others', async () => {
    const id = await taking(packing(10, 60_000));
    const [first, second] = await addDeliveries(db, id, 2);
    expect(await retryDelivery(db, tenantId, id, { deliveryId: second! })).toMatchObject({
      kind: 'waits',
      deliveryId: second,
    });
    const claimed = await claimOne(id);
    expect(claimed.pack!.deliveryIds).toEqual([second]);
    await settleDeliveries(db, [ended(claimed, ok)]);
    const made = await retryDelivery(db, tenantId, id, { deliveryId: second! });
    expect(made).toMatchObject({ kind: 'waits', eventId: claimed.eventId });
    const reposted = await claimOne(id);
    expect(indexesOf(reposted)).toEqual([1]);
    expect(reposted.pack!.id).not.toBe(claimed.pack!.id);
    expect((await rows(id)).map((row) => row.id)).toContain(first);
  });

  test('of a pack posts what has ended as a new pack, and what waits at once', async () => {
    const id = await taking(packing());
    await addDeliveries(db, id, 3);
    const first = await claimOne(id);
    await fail(first, again(60_000));
    expect(await retryDelivery(db, tenantId, id, { packId: first.pack!.id })).toMatchObject({
      deliveryId: first.id,
    });
    const second = await claimOne(id);
    expect(second.body).toBe(first.body);
    await fail(second, givenUp);
    await retryDelivery(db, tenantId, id, { packId: first.pack!.id });
    const third = await claimOne(id);
    expect(indexesOf(third)).toEqual([0, 1, 2]);
    expect(third).toMatchObject({ attempts: 0, pack: { id: expect.not.stringMatching(first.pack!.id) } });
    const { tenantId: stranger } = await makeTenant(db);
    expect(await retryDelivery(db, stranger, id, { packId: first.pack!.id })).toEqual({ kind: 'not-found' });
  });

  test('of one delivery in a pack that waits brings the whole pack', async () => {
    const id = await taking(packing());
    const ids = await addDeliveries(db, id, 2);
    const first = await claimOne(id);
    await fail(first, again(60_000));
    await retryDelivery(db, tenantId, id, { deliveryId: ids[1]! });
    expect((await claimOne(id)).body).toBe(first.body);
  });
});

test('packs go with their tenant, and with their attempts', async () => {
  const id = await taking(packing());
  await addDeliveries(db, id, 2);
  await settleDeliveries(db, [ended(await claimOne(id), ok)]);
  await sql`insert into tenant_purges (tenant_id) values (${tenantId})`.execute(db);
  await purgeTenants(db);
  for (const table of ['delivery_packs', 'delivery_attempts', 'deliveries'] as const)
    expect(await db.selectFrom(table).selectAll().where('webhook_id', '=', id).execute()).toEqual([]);
});

test('a replay packs what was not delivered, and leaves out what was delivered in a pack', async () => {
  const id = await taking(packing());
  await addDeliveries(db, id, 2);
  await settleDeliveries(db, [ended(await claimOne(id), ok)]);
  await addDeliveries(db, id, 2, (index) => JSON.stringify({ index: index + 2 }));
  await fail(await claimOne(id), givenUp);
  await startReplay(db, db, { tenantId, webhookId: id, since: new Date(Date.now() - 3_600_000) });
  expect(await replayBatch(db, id)).toBe(2);
  expect(indexesOf(await claimOne(id))).toEqual([2, 3]);
});
