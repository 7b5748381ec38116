import { type Db, isDatabaseAway, openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { acceptMessages } from '@notify/db/messages';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  type PostgresCluster,
  startPostgresCluster,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { transact } from '../../src/connection/transact.ts';
import { storeInbound } from '../store-inbound.ts';

const rules = { idempotencyDays: 7, blockExpiredTrials: false };
const waiting = sql<{ pid: number }>`select pid from pg_stat_activity where wait_event = 'SyncRep'`;

let cluster: PostgresCluster;
let db: Db;

beforeEach(async () => {
  cluster = await startPostgresCluster();
  db = openDb(cluster.primary.url);
});

afterEach(async () => {
  await db.destroy();
  await cluster.remove();
});

/** Cancels a commit that waits for the standby, as `pg_cancel_backend` by an operator does. */
async function cancelCommit(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select pg_cancel_backend(pid) from (${waiting}) w`.execute(db);
    if (rows.length > 0) return;
  }
}

const insert = sql`insert into notes values (1)`;
const ways: Record<string, () => Promise<unknown>> = {
  'one statement': () => insert.execute(db),
  'a transaction': () => db.transaction().execute((trx) => insert.execute(trx)),
  'pipelined statements': () => transact(db, (trx, commit) => commit(insert.execute(trx))),
};

test.each(Object.keys(ways))('a commit that only the primary has is no success: %s', async (way) => {
  await sql`create table notes (number int)`.execute(db);
  await cluster.standby.freeze();
  const answer = ways[way]!().catch((error: unknown) => error);
  await cancelCommit();
  expect(isDatabaseAway(await answer)).toBe(true);
  expect((await sql`select from notes`.execute(db)).rows).toHaveLength(1);
  // The others of its connections go on.
  await cluster.standby.thaw();
  await insert.execute(db);
});

/** What makes a client or a provider think that we have its message. */
const promises: Record<string, (on: Db, tenant: TestTenant) => Promise<unknown>> = {
  'a send': (on, tenant) => acceptMessages(on, [textItem(tenant, { idempotencyKey: 'k' })], rules),
  'an inbound message': (on, tenant) =>
    storeInbound(on, [inboundText(inboundAccountOf(tenant), { externalId: 'p-1' })]),
};

test.each(Object.keys(promises))(
  'an old primary that is started again does not answer to the repetition of %s that it alone has',
  async (what) => {
    await migrate(db);
    const tenant = await makeTenant(db);
    await cluster.standby.freeze();
    const answer = promises[what]!(db, tenant).catch((error: unknown) => error);
    while ((await waiting.execute(db)).rows.length === 0);
    const old = cluster.primary;
    await old.stop('killed');
    expect(isDatabaseAway(await answer)).toBe(true);
    await cluster.standby.thaw();
    await cluster.promote();
    await old.start();

    const impatient = openDb(old.url, { queryTimeoutMs: 1_000 });
    expect((await sql`select from messages`.execute(impatient)).rows).toHaveLength(1);
    const again = await promises[what]!(impatient, tenant).catch((error: unknown) => error);
    await impatient.destroy();
    expect(isDatabaseAway(again)).toBe(true);
  },
);
