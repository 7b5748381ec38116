import { type Db, openDb } from '@notify/db/connection';
import {
  changeWebhook,
  disableWebhook,
  enableWebhook,
  listDeliveries,
  replayBatch,
  replayingWebhooks,
  retryDelivery,
  settleDeliveries,
  startReplay,
  testWebhook,
} from '@notify/db/webhooks';
import { addDeliveries, makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { again, claimAs, ended, givenUp, ok } from '../attempts.ts';

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

const waiting = (webhookId: string) =>
  db.selectFrom('delivery_due').selectAll().where('webhook_id', '=', webhookId).orderBy('id').execute();
const list = (webhookId: string, query: object = {}) =>
  listDeliveries(db, { tenantId, webhookId, limit: 50, ...query });

/** Makes events that no webhook was told of, as when all were disabled. */
async function untold(count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
    select uuidv7(), ${tenantId}, null, 'message.sent', null, '{}', now() from generate_series(1, ${count}::int)
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

const anHourAgo = () => new Date(Date.now() - 3_600_000);

test('the deliveries without a success are listed apart from those that wait for their first attempt', async () => {
  const id = await makeWebhook(db, tenantId);
  const [delivered, retried, failed] = await addDeliveries(db, id, 4);
  const claims = await claimAs(db, id, { limit: 3 });
  await settleDeliveries(db, [ended(claims[0]!, ok), ended(claims[1]!, again()), ended(claims[2]!, givenUp)]);
  expect((await list(id, { failedSoFar: true })).map((one) => one.id)).toEqual([failed, retried]);
  expect(await list(id, { id: delivered })).toMatchObject([{ id: delivered, state: 'delivered' }]);
});

describe('replay', () => {
  test('makes deliveries of what failed, was skipped or never told, in order, and of nothing else', async () => {
    const id = await makeWebhook(db, tenantId);
    const [delivered, failed, skipped] = await addDeliveries(db, id, 3);
    const claims = await claimAs(db, id, { limit: 2 });
    await settleDeliveries(db, [ended(claims[1]!, givenUp), ended(claims[0]!, ok)]);
    await disableWebhook(db, tenantId, id);
    const missed = await untold(1);
    await enableWebhook(db, tenantId, id);
    const [stillWaits] = await addDeliveries(db, id, 1);
    const eventOf = new Map((await list(id)).map((one) => [one.id, one.eventId]));

    expect(await startReplay(db, db, { tenantId, webhookId: id, since: anHourAgo() })).toMatchObject({
      kind: 'replays',
      missed: { events: 3, isAll: true },
    });
    expect(await replayBatch(db, id)).toBe(3);
    const made = (await waiting(id)).filter((one) => one.id !== stillWaits);
    expect(made.map((one) => one.event_id)).toEqual([eventOf.get(failed!), eventOf.get(skipped!), missed[0]]);
    expect(made.map((one) => one.event_id)).not.toContain(eventOf.get(delivered!));
    expect(await replayingWebhooks(db)).toEqual([]);
    expect(await replayBatch(db, id)).toBe(0);
  });

  test('begins at the given moment, and keeps to the events that the webhook asked for', async () => {
    const id = await makeWebhook(db, tenantId);
    await untold(2);
    await startReplay(db, db, { tenantId, webhookId: id, since: new Date(Date.now() + 60_000) });
    expect(await replayBatch(db, id)).toBe(0);
    await changeWebhook(db, tenantId, id, { events: ['message.read'] });
    expect(await startReplay(db, db, { tenantId, webhookId: id, since: anHourAgo() })).toMatchObject({
      missed: { events: 0 },
    });
    expect(await replayBatch(db, id)).toBe(0);
    expect(await replayingWebhooks(db)).toEqual([]);
  });

  test('begins although nobody can count what it posts', async () => {
    const id = await makeWebhook(db, tenantId);
    const away = openDb('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 1_000 });
    const begun = await startReplay(db, away, { tenantId, webhookId: id, since: anHourAgo() });
    expect(begun).toMatchObject({ kind: 'replays', missed: { events: 0, isAll: false } });
    expect(await replayingWebhooks(db)).toEqual([{ id, lane: expect.any(String) }]);
    await away.destroy();
    await replayBatch(db, id);
  });

  test('goes on in batches, and waits while much waits', async () => {
    const id = await makeWebhook(db, tenantId);
    const events = await untold(2_500);
    await startReplay(db, db, { tenantId, webhookId: id, since: anHourAgo() });
    expect(await replayBatch(db, id)).toBe(1_000);
    expect(await replayBatch(db, id)).toBe(0);
    expect((await replayingWebhooks(db)).map((one) => one.id)).toEqual([id]);
    const deliverAll = () =>
      sql`
      with gone as (delete from delivery_due where webhook_id = ${id} returning *)
      insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at)
      select id, webhook_id, tenant_id, event_id, 'delivered', 1, created_at, now() from gone`.execute(db);
    await deliverAll();
    expect(await replayBatch(db, id)).toBe(1_000);
    await deliverAll();
    expect(await replayBatch(db, id)).toBe(500);
    await deliverAll();
    expect(await replayingWebhooks(db)).toEqual([]);
    const told = await db.selectFrom('deliveries').select('event_id').where('webhook_id', '=', id).execute();
    expect(told.map((row) => row.event_id).toSorted()).toEqual(events.toSorted());
  });

  test('is refused for a disabled webhook, another tenant and none', async () => {
    const id = await makeWebhook(db, tenantId);
    const { tenantId: other } = await makeTenant(db);
    expect(await startReplay(db, db, { tenantId: other, webhookId: id, since: anHourAgo() })).toEqual({
      kind: 'not-found',
    });
    await disableWebhook(db, tenantId, id);
    expect(await startReplay(db, db, { tenantId, webhookId: id, since: anHourAgo() })).toEqual({
      kind: 'disabled',
    });
  });

  test('waits for a failing webhook to recover', async () => {
    const id = await makeWebhook(db, tenantId);
    await startReplay(db, db, { tenantId, webhookId: id, since: anHourAgo() });
    await sql`update webhooks set failure_count = 5 where id = ${id}`.execute(db);
    expect(await replayingWebhooks(db)).toEqual([]);
    await sql`update webhooks set failure_count = 0 where id = ${id}`.execute(db);
    expect(await replayingWebhooks(db)).toHaveLength(1);
  });
});

describe('retry', () => {
  test('makes one that waits due at once', async () => {
    const id = await makeWebhook(db, tenantId);
    const [delivery] = await addDeliveries(db, id, 1);
    await settleDeliveries(db, [ended((await claimAs(db, id))[0]!, again(3_600_000))]);
    expect(await claimAs(db, id, { lane: 'slow' })).toEqual([]);
    expect(await retryDelivery(db, tenantId, id, { deliveryId: delivery! })).toMatchObject({
      kind: 'waits',
      deliveryId: delivery,
      lane: 'slow',
    });
    expect(await claimAs(db, id, { lane: 'slow' })).toMatchObject([{ id: delivery, attempts: 1 }]);
  });

  test('makes a new delivery of one that has ended', async () => {
    const id = await makeWebhook(db, tenantId);
    const [delivery] = await addDeliveries(db, id, 1);
    const [claimed] = await claimAs(db, id);
    await settleDeliveries(db, [ended(claimed!, ok)]);
    const made = await retryDelivery(db, tenantId, id, { deliveryId: delivery! });
    expect(made).toMatchObject({ kind: 'waits', eventId: claimed!.eventId });
    expect(await claimAs(db, id)).toMatchObject([{ eventId: claimed!.eventId, attempts: 0 }]);
  });

  test('ends the wait of a failing webhook, but gives it no second probe', async () => {
    const id = await makeWebhook(db, tenantId);
    const [delivery] = await addDeliveries(db, id, 2);
    await sql`update webhooks set failure_count = 5, lane = 'slow', paused_until = now() + interval '1 hour'
      where id = ${id}`.execute(db);
    expect(await claimAs(db, id, { lane: 'slow' })).toEqual([]);
    await retryDelivery(db, tenantId, id, { deliveryId: delivery! });
    expect(await claimAs(db, id, { lane: 'slow' })).toMatchObject([{ webhook: { probe: true } }]);
    await retryDelivery(db, tenantId, id, { deliveryId: delivery! });
    await testWebhook(db, tenantId, id);
    expect(await claimAs(db, id, { lane: 'slow' })).toEqual([]);
  });

  test('finds no delivery of another webhook or tenant', async () => {
    const [one, two] = [await makeWebhook(db, tenantId), await makeWebhook(db, tenantId)];
    const [delivery] = await addDeliveries(db, one, 1);
    const { tenantId: other } = await makeTenant(db);
    expect(await retryDelivery(db, tenantId, two, { deliveryId: delivery! })).toEqual({ kind: 'not-found' });
    expect(await retryDelivery(db, other, one, { deliveryId: delivery! })).toEqual({ kind: 'not-found' });
    await disableWebhook(db, tenantId, one);
    expect(await retryDelivery(db, tenantId, one, { deliveryId: delivery! })).toEqual({ kind: 'disabled' });
  });
});

test('a test event goes to a webhook whatever it asked for; its body names no message', async () => {
  const id = await makeWebhook(db, tenantId);
  await changeWebhook(db, tenantId, id, { events: ['message.read'] });
  const made = await testWebhook(db, tenantId, id);
  const [claimed] = await claimAs(db, id);
  expect(made).toMatchObject({ kind: 'waits', deliveryId: claimed!.id, eventId: claimed!.eventId });
  expect(JSON.parse(claimed!.body)).toMatchObject({
    event: 'webhook.test',
    messageId: null,
    id: `evt_${claimed!.eventId}`,
    tenantId: `ten_${tenantId}`,
    sequence: null,
  });
  await disableWebhook(db, tenantId, id);
  expect(await testWebhook(db, tenantId, id)).toEqual({ kind: 'disabled' });
});

describe('the list of deliveries', () => {
  test('shows what waits and what has ended, newest first, with every attempt', async () => {
    const id = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, id, 3);
    const claims = await claimAs(db, id);
    await settleDeliveries(db, [
      ended(claims[0]!, ok),
      ended(claims[1]!, again(), { status: null, error: 'timeout', answer: null }),
    ]);
    const rows = await list(id);
    expect(rows.map((row) => [row.id, row.state])).toEqual([
      [ids[2], 'waiting'],
      [ids[1], 'waiting'],
      [ids[0], 'delivered'],
    ]);
    expect(rows[0]).toMatchObject({ attempts: [], event: 'message.sent', endedAt: null });
    expect(rows[1]).toMatchObject({ attempts: [{ number: 1, status: null, error: 'timeout' }] });
    expect(rows[2]).toMatchObject({
      nextAttemptAt: null,
      endedAt: expect.any(Date),
      attempts: [{ number: 1, status: 200, answer: 'said', durationMs: 12, beganAt: claims[0]!.claimedAt }],
    });
  });

  test('comes in pages, by state, for its tenant alone', async () => {
    const id = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, id, 5);
    const claims = await claimAs(db, id, { limit: 2 });
    await settleDeliveries(
      db,
      claims.map((one) => ended(one, ok)),
    );
    const first = await list(id, { limit: 3 });
    const rest = await list(id, { limit: 3, before: first.at(-1)!.id });
    expect([...first, ...rest].map((row) => row.id)).toEqual(ids.toReversed());
    expect((await list(id, { state: 'delivered' })).map((row) => row.id)).toEqual([ids[1], ids[0]]);
    expect(await list(id, { state: 'waiting' })).toHaveLength(3);
    expect(await list(id, { state: 'failed' })).toEqual([]);
    const { tenantId: other } = await makeTenant(db);
    expect(await list(id, { tenantId: other })).toEqual([]);
  });
});
