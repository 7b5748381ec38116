import type { Db } from '@notify/db/connection';
import {
  clearUndeliverable,
  deleteWebhook,
  disableWebhook,
  nextDeliveries,
  overdueWebhooks,
  releaseDeliveries,
  settleDeliveries,
} from '@notify/db/webhooks';
import { addDeliveries, makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { again, claimAs, type ClaimOptions, ended, endedDeliveries, givenUp, ok } from '../attempts.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
});
afterAll(() => database[Symbol.asyncDispose]());

const claim = (webhookId: string, options?: ClaimOptions) => claimAs(db, webhookId, options);
const due = (ids: readonly string[]) =>
  db.selectFrom('delivery_due').selectAll().where('id', 'in', ids).orderBy('id').execute();
const done = (ids: readonly string[]) => endedDeliveries(db, ids);

/** Ends every lease, as time would. */
const endLeases = (webhookId: string) =>
  sql`update delivery_due set claimed_until = now() - interval '1 ms' where webhook_id = ${webhookId}
    and claimed_until is not null`.execute(db);
const makeDue = (webhookId: string) =>
  sql`update delivery_due set due_at = now() where webhook_id = ${webhookId}`.execute(db);
describe('claim', () => {
  test('gives what is due with all that posting needs, oldest first, and no more than asked for', async () => {
    const webhook = await makeWebhook(db, tenantId, { url: 'https://a.example/', secret: 'sealed' });
    const ids = await addDeliveries(db, webhook, 3, (index) => `{"index":${index}}`);
    const claims = await claim(webhook, { limit: 2 });
    expect(claims.map((one) => one.id)).toEqual(ids.slice(0, 2));
    expect(claims[0]).toMatchObject({
      body: '{"index":0}',
      attempts: 0,
      webhook: {
        id: webhook,
        tenantId,
        url: 'https://a.example/',
        secret: 'sealed',
        previousSecret: null,
        olderSecrets: [],
        generation: 1,
      },
    });
    expect(Math.abs(claims[0]!.claimedAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('gives nothing that is not due, paused, disabled, of the other lane or of another webhook', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const [id] = await addDeliveries(db, webhook, 1);
    const set = (assignment: string) =>
      sql.raw(`update webhooks set ${assignment} where id = '${webhook}'`).execute(db);
    expect(await claim(await makeWebhook(db, tenantId))).toEqual([]);
    expect(await claim(webhook, { lane: 'slow' })).toEqual([]);
    await set(`paused_until = now() + interval '1 hour'`);
    expect(await claim(webhook)).toEqual([]);
    await set(`paused_until = now() - interval '1 second', is_active = false`);
    expect(await claim(webhook)).toEqual([]);
    await set('is_active = true');
    await sql`update delivery_due set due_at = now() + interval '1 hour' where id = ${id}`.execute(db);
    expect(await claim(webhook)).toEqual([]);
    await makeDue(webhook);
    expect(await claim(webhook)).toHaveLength(1);
  });

  test('hands the previous secret on only while it still signs', async () => {
    const webhook = await makeWebhook(db, tenantId);
    await addDeliveries(db, webhook, 1);
    const previous = async (until: string) => {
      await sql`update webhooks set previous_secret = 'older',
        previous_secret_until = now() + ${until}::interval where id = ${webhook}`.execute(db);
      const [one] = await claim(webhook);
      await releaseDeliveries(db, [one!]);
      return one!.webhook.previousSecret;
    };
    expect(await previous('1 minute')).toBe('older');
    expect(await previous('-1 second')).toBeNull();
  });

  test('racing turns never get the same delivery while its lease holds', async () => {
    const webhook = await makeWebhook(db, tenantId);
    await sql`update webhooks set at_once = 100 where id = ${webhook}`.execute(db);
    const ids = await addDeliveries(db, webhook, 100);
    const claims = (await Promise.all(Array.from({ length: 20 }, () => claim(webhook)))).flat();
    const seen = claims.map((one) => one.id);
    expect(new Set(seen).size).toBe(seen.length);
    const rest = await claim(webhook, { limit: 100 });
    expect([...seen, ...rest.map((one) => one.id)].sort()).toEqual([...ids].sort());
  });

  test('a lease that has ended is taken over, one that was given back is free at once', async () => {
    const webhook = await makeWebhook(db, tenantId);
    await addDeliveries(db, webhook, 1);
    const [first] = await claim(webhook);
    expect(await claim(webhook)).toEqual([]);
    await endLeases(webhook);
    const [second] = await claim(webhook);
    expect(second).toMatchObject({ id: first!.id, attempts: 0 });
    await releaseDeliveries(db, [first!]);
    expect(await claim(webhook)).toEqual([]);
    await releaseDeliveries(db, [second!]);
    expect(await claim(webhook)).toHaveLength(1);
  });

  test('what lost its event to retention goes', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 2);
    await sql`delete from events where id in (select event_id from delivery_due where id = ${ids[0]})`.execute(
      db,
    );
    expect((await claim(webhook)).map((one) => one.id)).toEqual([ids[1]]);
    expect(await due(ids)).toHaveLength(1);
  });
});

describe('settle', () => {
  test('a success leaves a delivered row and its attempt', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 1);
    const [one] = await claim(webhook);
    await settleDeliveries(db, [ended(one!, ok, { answer: 'a\u0000b\ud800', durationMs: 99.6 })]);
    expect(await due(ids)).toEqual([]);
    expect(await done(ids)).toMatchObject([
      { state: 'delivered', attempts: 1, webhook_id: webhook, tenant_id: tenantId },
    ]);
    const attempts = await db
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', '=', ids[0]!)
      .execute();
    expect(attempts).toMatchObject([
      { number: 1, status: 200, error: null, answer: 'ab\ufffd', duration_ms: 100, began_at: one!.claimedAt },
    ]);
  });

  test('a failure is due again when it was decided, by the clock of the database, with its attempt counted', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 1);
    const [one] = await claim(webhook);
    await settleDeliveries(db, [
      ended(one!, again(30_000), { status: null, error: 'timeout', answer: null }),
    ]);
    const { rows } = await sql<{ wait: number; attempts: number; claimed_by: string | null }>`
      select extract(epoch from due_at - now())::float8 as wait, attempts, claimed_by from delivery_due
      where id = ${ids[0]}`.execute(db);
    expect(rows[0]!.wait).toBeGreaterThan(20);
    expect(rows[0]!.wait).toBeLessThanOrEqual(30);
    expect(rows[0]).toMatchObject({ attempts: 1, claimed_by: null });
    await makeDue(webhook);
    const [second] = await claim(webhook, { lane: 'slow' });
    expect(second).toMatchObject({ id: ids[0], attempts: 1 });
    await settleDeliveries(db, [ended(second!, givenUp)]);
    expect(await done(ids)).toMatchObject([{ state: 'failed', attempts: 2 }]);
    expect(await due(ids)).toEqual([]);
  });

  test('an attempt whose lease was lost moves nothing, but its success ends the delivery', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 1);
    const [late] = await claim(webhook);
    await endLeases(webhook);
    const [holder] = await claim(webhook);
    await settleDeliveries(db, [ended(late!, again()), ended(late!, givenUp)]);
    expect(await due(ids)).toMatchObject([{ claimed_by: holder!.holder, attempts: 0 }]);
    await settleDeliveries(db, [ended(late!, ok)]);
    expect(await due(ids)).toEqual([]);
    await settleDeliveries(db, [ended(holder!, again())]);
    expect(await due(ids)).toEqual([]);
    expect(await done(ids)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('a success that comes after its delivery was skipped still marks it delivered', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 1);
    const [late] = await claim(webhook);
    await endLeases(webhook);
    await disableWebhook(db, tenantId, webhook);
    expect(await done(ids)).toMatchObject([{ state: 'skipped' }]);
    await settleDeliveries(db, [ended(late!, ok)]);
    expect(await done(ids)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('a batch may hold many webhooks, and a delivery of one that was deleted', async () => {
    const webhooks = await Promise.all(Array.from({ length: 5 }, () => makeWebhook(db, tenantId)));
    const ids = (await Promise.all(webhooks.map((webhook) => addDeliveries(db, webhook, 4)))).flat();
    const claims = (await Promise.all(webhooks.map((webhook) => claim(webhook)))).flat();
    await deleteWebhook(db, tenantId, webhooks[0]!);
    await settleDeliveries(
      db,
      claims.toReversed().map((one) => ended(one, ok)),
    );
    const states = (await done(ids)).map((row) => row.state);
    expect(states).toEqual(Array.from({ length: 16 }, () => 'delivered'));
    expect(await due(ids)).toEqual([]);
  });
});

describe('who is next', () => {
  test('the next time is the latest of due, lease and pause; nothing waiting is left out', async () => {
    const [now, later, leased, paused, empty] = await Promise.all(
      Array.from({ length: 5 }, () => makeWebhook(db, tenantId)),
    );
    for (const webhook of [now!, later!, leased!, paused!]) await addDeliveries(db, webhook, 2);
    await sql`update delivery_due set due_at = now() + interval '30 s' where webhook_id = ${later}`.execute(
      db,
    );
    await claim(leased!, { leaseMs: 15_000 });
    await sql`update webhooks set paused_until = now() + interval '1 hour', lane = 'slow' where id = ${paused}`.execute(
      db,
    );
    const found = new Map(
      (await nextDeliveries(db, [now!, later!, leased!, paused!, empty!])).map((one) => [one.id, one]),
    );
    expect(found.get(now!)).toEqual({ id: now, lane: 'fast', delayMs: 0 });
    expect(found.get(later!)!.delayMs).toBeGreaterThan(20_000);
    expect(found.get(later!)!.delayMs).toBeLessThanOrEqual(30_000);
    expect(found.get(leased!)!.delayMs).toBeGreaterThan(5_000);
    expect(found.get(leased!)!.delayMs).toBeLessThanOrEqual(15_000);
    expect(found.get(paused!)).toMatchObject({ lane: 'slow' });
    expect(found.get(paused!)!.delayMs).toBeGreaterThan(3_500_000);
    expect(found.has(empty!)).toBe(false);
  });

  test('what waits for a disabled or deleted webhook is found, cleared and then no more', async () => {
    const [disabled, deleted] = await Promise.all([makeWebhook(db, tenantId), makeWebhook(db, tenantId)]);
    await disableWebhook(db, tenantId, disabled);
    const ids = await addDeliveries(db, disabled, 2);
    const gone = await addDeliveries(db, deleted, 2);
    await db.deleteFrom('webhooks').where('id', '=', deleted).execute();
    expect((await nextDeliveries(db, [disabled, deleted])).map((one) => one.delayMs)).toEqual([0, 0]);
    await clearUndeliverable(db, disabled);
    await clearUndeliverable(db, deleted);
    expect(await nextDeliveries(db, [disabled, deleted])).toEqual([]);
    expect((await done(ids)).map((row) => row.state)).toEqual(['skipped', 'skipped']);
    expect(await due([...ids, ...gone])).toEqual([]);
  });

  test('an active webhook is not cleared', async () => {
    const webhook = await makeWebhook(db, tenantId);
    const ids = await addDeliveries(db, webhook, 1);
    await clearUndeliverable(db, webhook);
    expect(await due(ids)).toHaveLength(1);
  });

  test('overdue are those with something due for so long that nobody holds, with their lanes', async () => {
    await using own = await testDatabase();
    const { tenantId: tenant } = await makeTenant(own.db);
    const make = () => makeWebhook(own.db, tenant);
    const [overdue, slow, recent, leased, paused, deleted] = await Promise.all([
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ]);
    for (const webhook of [overdue, slow, recent, leased, paused, deleted])
      await addDeliveries(own.db, webhook, 3);
    await sql`update delivery_due set due_at = now() - interval '3 s' where webhook_id <> ${recent}`.execute(
      own.db,
    );
    await sql`update webhooks set lane = 'slow' where id = ${slow}`.execute(own.db);
    await sql`update webhooks set paused_until = now() + interval '1 hour' where id = ${paused}`.execute(
      own.db,
    );
    await claimAs(own.db, leased);
    await own.db.deleteFrom('webhooks').where('id', '=', deleted).execute();
    const found = await overdueWebhooks(own.db, 2_000);
    expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [
        { id: overdue, lane: 'fast' },
        { id: slow, lane: 'slow' },
        { id: deleted, lane: 'fast' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
});
