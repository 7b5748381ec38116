import type { Db } from '@notify/db/connection';
import {
  type ClaimedDelivery,
  expireDeliveries,
  nextDeliveries,
  releaseDeliveries,
  settleDeliveries,
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
import { again, claimAs, ended, endedDeliveries, ok } from '../attempts.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
});
afterAll(() => database[Symbol.asyncDispose]());

const set = (id: string, assignment: string) =>
  sql.raw(`update webhooks set ${assignment} where id = '${id}'`).execute(db);
const claimSlow = (id: string) => claimAs(db, id, { lane: 'slow' });
const attemptsOf = async (ids: readonly string[]) =>
  (
    await db
      .selectFrom('delivery_due')
      .select('attempts')
      .where('id', 'in', ids)
      .orderBy('attempts')
      .execute()
  ).map((row) => row.attempts);
const settle = (claims: readonly ClaimedDelivery[], decision = again()) =>
  settleDeliveries(
    db,
    claims.map((one) => ended(one, decision)),
    () => 0,
  );

/** A webhook that is failing and whose pause is over, with so many deliveries waiting. */
async function failing(waiting: number): Promise<{ id: string; ids: string[] }> {
  const id = await makeWebhook(db, tenantId);
  const ids = await addDeliveries(db, id, waiting);
  await set(id, `failure_count = 5, failing_since = now() - interval '1 hour', at_once = 1, lane = 'slow'`);
  return { id, ids };
}

test('eight may be in flight and no more, over all turns; what has ended makes room', async () => {
  const id = await makeWebhook(db, tenantId);
  await addDeliveries(db, id, 20);
  const first = await claimAs(db, id, { limit: 6 });
  expect(await claimAs(db, id)).toHaveLength(2);
  expect(await claimAs(db, id)).toEqual([]);
  // It has something to do when a lease ends, not now.
  const [next] = await nextDeliveries(db, [id]);
  expect(next!.delayMs).toBeGreaterThan(1_000);
  await settle(first.slice(0, 3), ok);
  expect(await nextDeliveries(db, [id])).toMatchObject([{ delayMs: 0 }]);
  expect(await claimAs(db, id)).toHaveLength(3);
});

test('one that failed is given one post at a time', async () => {
  const id = await makeWebhook(db, tenantId);
  await addDeliveries(db, id, 20);
  await settle(await claimAs(db, id, { limit: 1 }));
  expect(await claimSlow(id)).toHaveLength(1);
  expect(await claimSlow(id)).toEqual([]);
});

test('racing turns get one probe of a failing webhook; the others wait and burn no attempt', async () => {
  const { id, ids } = await failing(5);
  const claims = (await Promise.all(Array.from({ length: 10 }, () => claimSlow(id)))).flat();
  expect(claims).toMatchObject([{ webhook: { probe: true } }]);
  const [next] = await nextDeliveries(db, [id]);
  expect(next!.delayMs).toBeGreaterThan(10_000);
  await settle(claims);
  expect(await claimSlow(id)).toEqual([]);
  expect(await attemptsOf(ids)).toEqual([0, 0, 0, 0, 1]);
  expect(await webhookRow(db, id)).toMatchObject({ failure_count: 6, probes: 1 });
  const [paused] = await nextDeliveries(db, [id]);
  expect(paused!.delayMs).toBeGreaterThan(20_000);
  expect(paused!.delayMs).toBeLessThanOrEqual(30_000);
});

test('a probe that is lost is followed by another when its lease has ended', async () => {
  const { id } = await failing(2);
  expect(await claimSlow(id)).toHaveLength(1);
  await set(id, 'paused_until = now()');
  expect(await claimSlow(id)).toHaveLength(1);
});

test('a success of the probe ramps it up: 2, 4, 8 at once', async () => {
  const { id } = await failing(30);
  const ramp: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const lane = (await webhookRow(db, id)).lane;
    const claims = await claimAs(db, id, { lane, limit: 20 });
    ramp.push(claims.length);
    await settle(claims.slice(0, 1), ok);
    await releaseDeliveries(db, claims.slice(1));
  }
  expect(ramp).toEqual([1, 2, 4, 8]);
});

test('what waits for a failing webhook expires 3 days after its event, other deliveries do not', async () => {
  const { ids } = await failing(3);
  const healthy = await makeWebhook(db, tenantId);
  const others = await addDeliveries(db, healthy, 1);
  const age = (which: readonly string[], days: string) =>
    sql`update delivery_due set created_at = now() - ${days}::interval
      where id = any (${[...which]}::uuid[])`.execute(db);
  await age([ids[0]!, others[0]!], '3 days 1 second');
  await age([ids[1]!], '2 days 23 hours');
  expect(await expireDeliveries(db)).toBe(1);
  expect(await endedDeliveries(db, [...ids, ...others])).toMatchObject([
    { id: ids[0], state: 'failed', reason: 'expired', attempts: 0 },
  ]);
  expect(await expireDeliveries(db)).toBe(0);
});

test('the first failure after 5 days of failing disables; before that nothing does', async () => {
  const { id } = await failing(3);
  await set(id, `failing_since = now() - interval '4 days 23 hours'`);
  await settle(await claimSlow(id));
  expect(await webhookRow(db, id)).toMatchObject({ is_active: true });
  await set(id, `failing_since = now() - interval '5 days', paused_until = null`);
  expect(await expireDeliveries(db)).toBe(0);
  expect(await webhookRow(db, id)).toMatchObject({ is_active: true });
  await settle(await claimSlow(id));
  expect(await webhookRow(db, id)).toMatchObject({
    is_active: false,
    disabled_reason: 'The endpoint has been failing for 5 days.',
  });
});
