import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliverySettlement,
  settleDeliveries,
  settleDelivered,
} from '@notify/db/webhooks';
import type { Db } from '@notify/db/connection';
import { makeTenant, makeWebhook, testDatabase } from '@notify/testkit';
import { type RawBuilder, sql } from 'kysely';
import { unnestRows, uuid } from '../../../packages/db/src/connection/rows.ts';
import { usageOf } from '../environment/cpu.ts';
import { emptyTables } from '../environment/tenants.ts';
import {
  createPrototype,
  type FirstDelivery,
  insertFirst,
  leaseTurns,
  newHolder,
  readFirst,
  settleFirst,
} from '../prototypes/first-deliveries.ts';
import { ratio } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const webhooks = 10;
const batch = 30;
const deliveriesPerMessage = 3;
const leaseEveryMs = 2_000;

/**
 * CPU of storing, claiming and settling deliveries that succeed at once, by turns, without a receiver. Batches of 30
 * over 10 webhooks. The prototype of `first-deliveries.ts` beside our statements, once with the transaction that
 * settles deliveries of every kind, once with the single statement for plain successes.
 */
export const deliveryStatements: Benchmark = {
  name: 'delivery-statements',
  async run(environment, sizes, say) {
    await using database = await testDatabase();
    const { db } = database;
    await createPrototype(db);
    const tenants: string[] = [];
    const ids: string[] = [];
    for (let index = 0; index < webhooks; index += 1) {
      const { tenantId } = await makeTenant(db);
      tenants.push(tenantId);
      ids.push(await makeWebhook(db, tenantId));
    }
    const forms: Record<Form, () => Work> = {
      transaction: () => asClaimed(db, ids, settleDeliveries),
      statement: () => asClaimed(db, ids, settleDelivered),
      prototype: () => asPrototype(db, ids),
    };
    const costs: Record<Form, number[]> = { transaction: [], statement: [], prototype: [] };
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const inTurn = Object.keys(forms) as Form[];
      for (const form of round % 2 === 0 ? inTurn : inTurn.reverse()) {
        await emptyTables(db);
        await sql`truncate delivery_new, turn_leases`.execute(db);
        await sql`vacuum analyze`.execute(db);
        const batches = await storeEvents(db, tenants, sizes.messages * deliveriesPerMessage);
        const work = forms[form]();
        const postgres = usageOf([environment.postgresPid]).cpuMs;
        const client = process.cpuUsage();
        for (const events of batches) await work(events);
        const { user, system } = process.cpuUsage(client);
        const messages = (batches.length * batch) / deliveriesPerMessage;
        const perMessage = {
          postgres: ((usageOf([environment.postgresPid]).cpuMs - postgres) * 1_000) / messages,
          client: (user + system) / messages,
        };
        say(
          `${form}: ${perMessage.postgres.toFixed(0)} µs of Postgres, ${perMessage.client.toFixed(0)} µs of ours a message`,
        );
        if (round > 0) costs[form].push(perMessage.postgres + perMessage.client);
      }
    }
    return [
      ratio('delivery-statements', [prototype, costs.prototype], ['by a transaction', costs.transaction], {
        atMost: 0.6,
      }),
      ratio('delivery-statements', [prototype, costs.prototype], ['by one statement', costs.statement], null),
    ];
  },
};

const prototype = 'prototype, µs a message';

type Form = 'transaction' | 'statement' | 'prototype';
type Work = (eventIds: readonly string[]) => Promise<void>;

/** Stores events in batches, and no deliveries. Returns their ids by batch. */
async function storeEvents(db: Db, tenants: readonly string[], count: number): Promise<string[][]> {
  const body = JSON.stringify({ pad: 'x'.repeat(440) });
  const batches: string[][] = [];
  for (let done = 0; done < count; done += batch) {
    const { rows } = await sql<{ id: string }>`
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
      select uuidv7(), (${tenants}::uuid[])[1 + place % ${webhooks}::int], null, 'message.sent', null, ${body}, now()
      from generate_series(1, ${batch}::int) place returning id`.execute(db);
    batches.push(rows.map((row) => row.id));
  }
  return batches;
}

function eventsOf(ids: readonly string[]): RawBuilder<unknown> {
  const rows = unnestRows('u', ids, { event_id: uuid((id) => id) });
  return sql`(
    select id, tenant_id from events where id = any (${ids}::uuid[]) and id in (select event_id from ${rows})
  ) e`;
}

/** As `insertEvents` and `claimDeliveries` do it, and then `settle`. */
function asClaimed(
  db: Db,
  ids: readonly string[],
  settle: (db: Db, settlements: readonly DeliverySettlement[]) => Promise<unknown>,
): Work {
  const wanted = new Map(ids.map((id) => [id, { limit: 8, inFlight: 0, settling: 0 }]));
  return async (eventIds) => {
    await sql`
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select uuidv7(), w.id, e.tenant_id, e.id, now(), now() from ${eventsOf(eventIds)} cross join lateral (
        select id from webhooks where tenant_id = e.tenant_id and is_active and 'message.sent' = any (events) offset 0
      ) w`.execute(db);
    const claimed = await claimDeliveries(db, wanted, { lane: 'fast', leaseMs: 20_000 });
    const all = [...claimed.values()].flat();
    if (all.length !== batch) throw new Error(`claimed ${all.length} of ${batch}`);
    await settle(db, all.map(success));
  };
}

function success({ id, webhook, holder, claimedAt }: ClaimedDelivery) {
  return {
    deliveryId: id,
    webhookId: webhook.id,
    holder,
    generation: webhook.generation,
    probe: false,
    number: 1,
    beganAt: claimedAt,
    durationMs: 3,
    status: 204,
    error: null,
    answer: null,
    retryAfterMs: 0,
    decision: { kind: 'delivered' as const },
  };
}

/** As the prototype does it, with its leases renewed every 2 s. */
function asPrototype(db: Db, ids: readonly string[]): Work {
  const holder = newHolder();
  const last = new Map(ids.map((id) => [id, '00000000-0000-0000-0000-000000000000']));
  let leasedAt = -Infinity;
  return async (eventIds) => {
    if (performance.now() - leasedAt > leaseEveryMs) {
      await leaseTurns(db, ids, holder);
      leasedAt = performance.now();
    }
    await insertFirst(eventsOf(eventIds)).execute(db);
    const wanted = ids.map((id) => ({ id, after: last.get(id)!, limit: 8 }));
    const read = await readFirst(db, wanted, holder);
    if (read.length !== batch) throw new Error(`read ${read.length} of ${batch}`);
    read.forEach((one: FirstDelivery) => last.set(one.webhookId, one.id));
    const beganAt = new Date();
    const settled = await settleFirst(
      db,
      read.map((one) => ({ ...one, beganAt, durationMs: 3 })),
    );
    if (settled !== batch) throw new Error(`settled ${settled} of ${batch}`);
  };
}
