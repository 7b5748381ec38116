import type { Db } from '@notify/db/connection';
import { type DeliveryDecision, settleDeliveries } from '@notify/db/webhooks';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  type TestDatabase,
  testDatabase,
  toggleWebhook,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import {
  again,
  claimAs,
  type ClaimOptions,
  ended,
  endedDeliveries,
  givenUp,
  ok,
  toFastLane,
} from '../attempts.ts';

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

async function settleInTurn(webhook: string, ...decisions: DeliveryDecision[]): Promise<void> {
  await addDeliveries(db, webhook, decisions.length);
  await toFastLane(db, webhook);
  const claims = await claim(webhook, { limit: decisions.length });
  expect(claims).toHaveLength(decisions.length);
  await settleDeliveries(
    db,
    claims.map((one, index) => ended(one, decisions[index]!)),
  );
}
const counters = async (webhook: string) => {
  const row = await webhookRow(db, webhook);
  return { count: row.failure_count, failing: row.failing_since !== null, lane: row.lane };
};

test('count failures in a row, in the order in which they ended', async () => {
  const webhook = await makeWebhook(db, tenantId);
  expect((await webhookRow(db, webhook)).last_triggered_at).toBeNull();
  await settleInTurn(webhook, again(), again());
  expect(await counters(webhook)).toEqual({ count: 2, failing: true, lane: 'slow' });
  const { failing_since: since } = await webhookRow(db, webhook);
  await settleInTurn(webhook, givenUp);
  expect(await counters(webhook)).toEqual({ count: 3, failing: true, lane: 'slow' });
  expect((await webhookRow(db, webhook)).failing_since).toEqual(since);
  await settleInTurn(webhook, again(), ok, again(), again());
  expect(await counters(webhook)).toEqual({ count: 2, failing: true, lane: 'slow' });
  await settleInTurn(webhook, again(), ok);
  expect(await counters(webhook)).toEqual({ count: 0, failing: false, lane: 'fast' });
});

test('lastTriggeredAt is when the latest attempt began, whichever ends last', async () => {
  const webhook = await makeWebhook(db, tenantId);
  await addDeliveries(db, webhook, 2);
  const [one, two] = await claim(webhook);
  const [earlier, later] = [new Date('2026-01-01T00:00:00.123Z'), new Date('2026-01-01T00:00:01.456Z')];
  await settleDeliveries(db, [ended(two!, ok, { beganAt: later })]);
  await settleDeliveries(db, [ended(one!, ok, { beganAt: earlier })]);
  expect((await webhookRow(db, webhook)).last_triggered_at).toEqual(later);
});

test('lastTriggeredAt lags behind by less than a second, and with it a webhook that goes well is not written', async () => {
  const webhook = await makeWebhook(db, tenantId);
  await addDeliveries(db, webhook, 4);
  const claims = await claim(webhook);
  const first = new Date('2026-01-01T00:00:00.000Z');
  const settleAt = async (index: number, afterMs: number, decision = ok) => {
    const beganAt = new Date(first.getTime() + afterMs);
    await settleDeliveries(db, [ended(claims[index]!, decision, { beganAt })]);
    const { rows } = await sql<{ xmin: string; at: Date }>`
      select xmin::text, last_triggered_at as at from webhooks where id = ${webhook}`.execute(db);
    return { writtenBy: rows[0]!.xmin, after: rows[0]!.at.getTime() - first.getTime() };
  };
  const written = await settleAt(0, 0);
  expect(await settleAt(1, 999)).toEqual(written);
  expect((await settleAt(2, 1_000)).after).toBe(1_000);
  // What changes its health is written at once.
  expect((await settleAt(3, 1_001, again())).after).toBe(1_001);
});

test('an attempt begun before a disable or an enable changes none, though its success ends its delivery', async () => {
  const webhook = await makeWebhook(db, tenantId);
  const ids = await addDeliveries(db, webhook, 3);
  const [failure, success, other] = await claim(webhook);
  await toggleWebhook(db, tenantId, webhook);
  await settleDeliveries(db, [ended(failure!, again())]);
  expect(await webhookRow(db, webhook)).toMatchObject({
    failure_count: 0,
    last_triggered_at: null,
    lane: 'fast',
  });

  await settleInTurn(webhook, again());
  await settleDeliveries(db, [ended(success!, ok)]);
  expect(await counters(webhook)).toEqual({ count: 1, failing: true, lane: 'slow' });
  expect(await endedDeliveries(db, ids)).toMatchObject([{ id: ids[1], state: 'delivered' }]);

  // Both generations in one batch.
  await toFastLane(db, webhook);
  await addDeliveries(db, webhook, 1);
  const [fresh] = await claim(webhook);
  await settleDeliveries(db, [ended(other!, again()), ended(fresh!, ok), ended(other!, again())]);
  expect(await counters(webhook)).toEqual({ count: 0, failing: false, lane: 'fast' });
});

test('hold when successes, failures and enables race; overlapping batches in opposite order do not deadlock', async () => {
  const webhooks = await Promise.all(Array.from({ length: 6 }, () => makeWebhook(db, tenantId)));
  for (let round = 0; round < 20; round += 1) {
    for (const webhook of webhooks) await addDeliveries(db, webhook, 4);
    await Promise.all(webhooks.map((webhook) => toFastLane(db, webhook)));
    const claims = (await Promise.all(webhooks.map((webhook) => claim(webhook)))).flat();
    const half = claims.filter((_, index) => index % 2 === 0).map((one) => ended(one, again()));
    const rest = claims
      .filter((_, index) => index % 2 === 1)
      .map((one) => ended(one, ok))
      .toReversed();
    await Promise.all([
      settleDeliveries(db, half),
      settleDeliveries(db, rest),
      toggleWebhook(db, tenantId, webhooks[round % 6]!),
    ]);
  }
  // Whatever the order was, one clean success later every count is exact again.
  for (const webhook of webhooks) {
    await settleInTurn(webhook, ok);
    expect(await counters(webhook)).toEqual({ count: 0, failing: false, lane: 'fast' });
    await settleInTurn(webhook, again(), again(), again());
    expect((await counters(webhook)).count).toBe(3);
  }
});
