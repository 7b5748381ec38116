import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  afterAttempt,
  afterDisable,
  afterEnable,
  afterNewUrl,
  type WebhookAttempt,
  type WebhookHealth,
} from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  changeWebhook,
  deleteWebhook,
  type DeliverySettlement,
  disableWebhook,
  enableWebhook,
  rotateSecret,
  isPlainDelivery,
  settleDelivered,
  settleDeliveries,
} from '@notify/db/webhooks';
import { histories, makeTenant, openTestDb, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

const interleavings = histories(10_000);
/** So many webhooks go through their interleavings side by side; what ends at once is settled in one batch. */
const together = 2_000;
const steps = 10;

let database: TestDatabase;
let db: Db;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  // Some 90,000 statements of a few kinds. Prepared, they are planned once a connection.
  // The calls of a step wait for each other's connections, on a busy machine for seconds.
  db = openTestDb(database.url, { hot: true });
  ({ tenantId } = await makeTenant(db));
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** A webhook as it should be, and the attempts at it that are still in flight. */
interface Modelled {
  readonly id: string;
  health: WebhookHealth | null;
  readonly flying: { readonly generation: number; readonly probe: boolean }[];
  urls: number;
}

const fresh: WebhookHealth = {
  isActive: true,
  disabledReason: null,
  generation: 1,
  failureCount: 0,
  failingSinceMs: null,
  probes: 0,
  pausedUntilMs: null,
  atOnce: 8,
  lane: 'fast',
};

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Jitter is left out; what the model needs of the clock is whether there is a pause, not until when. */
const noJitter = () => 0;
const nowMs = Date.now();
const beganAt = (random: () => number) =>
  new Date(nowMs - (random() < 0.05 ? 6 * 86_400_000 : 1_000) - Math.floor(random() * 1_000));

function begin(one: Modelled): void {
  if (one.health === null || !one.health.isActive) return;
  const { generation, failureCount } = one.health;
  one.flying.push({ generation, probe: failureCount >= 5 });
}

/** Ends an attempt that is in flight, the latest or a late one. */
function end(one: Modelled, random: () => number): DeliverySettlement[] {
  const begun = one.flying.splice(Math.floor(random() * one.flying.length), 1)[0];
  if (begun === undefined) return [];
  const chance = random();
  const result = chance < 0.3 ? 'success' : chance < 0.97 ? 'failure' : 'gone';
  const settlement: DeliverySettlement = {
    deliveryId: randomUUID(),
    webhookId: one.id,
    holder: randomUUID(),
    ...begun,
    number: 1,
    beganAt: beganAt(random),
    durationMs: random() < 0.2 ? 3_000 : 20,
    status: result === 'success' ? 200 : result === 'gone' ? 410 : 500,
    error: null,
    answer: null,
    retryAfterMs: random() < 0.2 ? 60_000 : 0,
    decision: result === 'success' ? { kind: 'delivered' } : { kind: 'retry', afterMs: 5_000 },
  };
  if (one.health !== null)
    one.health = afterAttempt(one.health, toAttempt(settlement, result), nowMs, noJitter);
  return [settlement];
}

function toAttempt(settlement: DeliverySettlement, result: WebhookAttempt['result']): WebhookAttempt {
  const { generation, probe, durationMs, retryAfterMs } = settlement;
  return { generation, result, probe, beganAtMs: settlement.beganAt.getTime(), durationMs, retryAfterMs };
}

/** What an owner does; each returns the call, and changes the model as the call should change the row. */
const deeds: ((one: Modelled) => Promise<unknown>)[] = [
  (one) => {
    one.health &&= afterEnable(one.health);
    return enableWebhook(db, tenantId, one.id);
  },
  (one) => {
    one.health &&= afterDisable(one.health);
    return disableWebhook(db, tenantId, one.id);
  },
  (one) => {
    one.health &&= afterNewUrl(one.health);
    return changeWebhook(db, tenantId, one.id, { url: `https://example.com/${(one.urls += 1)}` });
  },
  (one) => rotateSecret(db, tenantId, one.id, { secret: 'newer', reseal: (present) => present }),
  (one) => changeWebhook(db, tenantId, one.id, { events: ['message.read'], description: 'other' }),
  (one) => {
    one.health = null;
    return deleteWebhook(db, tenantId, one.id);
  },
];

/** One step of every webhook: attempts begin, attempts end, and of some the owner does something. */
async function step(models: readonly Modelled[], random: () => number): Promise<void> {
  const ended: DeliverySettlement[] = [];
  const calls: (() => Promise<unknown>)[] = [];
  for (const one of models) {
    const chance = random();
    if (chance < 0.35) begin(one);
    // Several attempts of one webhook, of several generations perhaps, end in one batch.
    else if (chance < 0.85)
      for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
        begin(one);
        ended.push(...end(one, random));
      }
    else {
      const deed = deeds[Math.floor(random() * (deeds.length - 0.7))]!;
      calls.push(() => deed(one));
    }
  }
  await Promise.all([settle(ended), ...calls.map((call) => call())]);
}

/** As the webhook worker settles: webhooks with plain successes alone by one statement, what that leaves out after it. */
async function settle(ended: readonly DeliverySettlement[]): Promise<void> {
  const mixed = new Set(ended.filter((one) => !isPlainDelivery(one)).map((one) => one.webhookId));
  const plain = ended.filter((one) => !mixed.has(one.webhookId));
  const settled = plain.length === 0 ? new Set<string>() : (await settleDelivered(db, plain)).deliveryIds;
  await settleDeliveries(
    db,
    ended.filter((one) => !settled.has(one.deliveryId)),
    noJitter,
  );
}

const healthColumns = [
  'id',
  'is_active',
  'disabled_reason',
  'generation',
  'failure_count',
  'failing_since',
  'probes',
  'paused_until',
  'at_once',
  'lane',
] as const;

/** The pause is compared by whether there is one: its end is by the database's clock. */
const comparable = (health: WebhookHealth) => ({
  ...health,
  pausedUntilMs: health.pausedUntilMs !== null,
});

/** Makes active webhooks, in one statement. */
async function makeWebhooks(count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into webhooks (id, tenant_id, url, events, secret)
    select uuidv7(), ${tenantId}, 'https://example.com/hook', '{message.queued}', 'unsealed'
    from generate_series(1, ${count}::int) returning id`.execute(db);
  return rows.map((row) => row.id);
}

async function stored(ids: readonly string[]): Promise<Map<string, ReturnType<typeof comparable>>> {
  const rows = await db
    .selectFrom('webhooks')
    .select(healthColumns)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        isActive: row.is_active,
        disabledReason: row.disabled_reason,
        generation: row.generation,
        failureCount: row.failure_count,
        failingSinceMs: row.failing_since?.getTime() ?? null,
        probes: row.probes,
        pausedUntilMs: row.paused_until !== null,
        atOnce: row.at_once,
        lane: row.lane,
      },
    ]),
  );
}

test(`${interleavings} random interleavings of attempts, late attempts and what owners do agree with the pure model`, async () => {
  const random = seeded(20_260_101);
  const reached = new Set<string>();
  for (let done = 0; done < interleavings; done += together) {
    const ids = await makeWebhooks(together);
    const models: Modelled[] = ids.map((id) => ({ id, health: fresh, flying: [], urls: 0 }));
    for (let at = 0; at < steps; at += 1) {
      await step(models, random);
      const found = await stored(ids);
      const pairs = models.map((one) => ({
        model: one.health && comparable(one.health),
        row: found.get(one.id) ?? null,
      }));
      // Jest takes a hundred times as long to see that all of them are equal.
      expect(pairs.filter(({ model, row }) => !isDeepStrictEqual(model, row))).toEqual([]);
      for (const one of models) note(one.health, reached);
    }
    await sql`delete from webhooks where id = any (${ids}::uuid[])`.execute(db);
  }
  // The interleavings came to everything that can become of a webhook.
  expect([...reached].sort()).toEqual(
    ['deleted', 'failing', 'gone', 'old', 'probed', 'ramping', 'switched off'].sort(),
  );
}, 600_000);

function note(health: WebhookHealth | null, reached: Set<string>): void {
  if (health === null) return void reached.add('deleted');
  if (health.failureCount >= 5) reached.add('failing');
  if (health.probes > 0) reached.add('probed');
  if (health.atOnce === 2 || health.atOnce === 4) reached.add('ramping');
  if (!health.isActive && health.disabledReason === null) reached.add('switched off');
  if (health.disabledReason?.includes('410')) reached.add('gone');
  if (health.disabledReason?.includes('5 days')) reached.add('old');
}
