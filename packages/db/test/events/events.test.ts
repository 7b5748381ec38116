import { makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Trx } from '../../src/connection/index.ts';
import { createLooker, type Looker, passBetween, tenantsWithNews } from '../../src/events/index.ts';
import { atStart, longAgo, readAll, step, tell } from './event-world.ts';

let database: TestDatabase;
let db: Db;
let looker: Looker;
let tenantId: string;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  looker = createLooker(db);
});
beforeEach(async () => {
  ({ tenantId } = await makeTenant(db));
});
afterAll(() => database[Symbol.asyncDispose]());

/** A transaction that stays open until `end`, and works when told. */
async function openTransaction(): Promise<{ trx: Trx; end(how: 'commit' | 'rollback'): Promise<void> }> {
  const trx = await db.startTransaction().execute();
  return { trx, end: (how) => trx[how]().execute() };
}

/** Gives the transaction its number. */
const number = (trx: Trx) => sql`select pg_current_xact_id()`.execute(trx);

test('pages of any size have every event once, in id order', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) ids.push(await tell(db, tenantId));
  for (const limit of [1, 2, 7, 100])
    expect((await readAll(db, looker, tenantId, await atStart(looker), limit)).ids).toEqual(ids);
});

test('the body is byte for byte what was stored', async () => {
  const body = '{"text":"\\" \u2028 😀 \\n"}';
  await tell(db, tenantId, { body });
  const { events } = await step(db, looker, tenantId, await atStart(looker), 10);
  expect(events).toMatchObject([{ body }]);
});

test('another tenant’s events and tests of webhooks are left out', async () => {
  const other = await makeTenant(db);
  await tell(db, other.tenantId);
  const mine = await tell(db, tenantId);
  await sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    values (uuidv7(), ${tenantId}, 'webhook.test', '{}', now())`.execute(db);
  expect((await readAll(db, looker, tenantId, await atStart(looker))).ids).toEqual([mine]);
});

test('an event of a transaction that ends late comes after those that were committed before it', async () => {
  const late = await openTransaction();
  const first = await tell(late.trx, tenantId);
  const second = await tell(db, tenantId);
  const before = await readAll(db, looker, tenantId, await atStart(looker));
  expect(before.ids).toEqual([second]);
  const third = await tell(db, tenantId);
  const between = await readAll(db, looker, tenantId, before.place);
  expect(between.ids).toEqual([third]);
  await late.end('commit');
  const after = await readAll(db, looker, tenantId, between.place);
  expect(after.ids).toEqual([first]);
  expect((await readAll(db, looker, tenantId, after.place)).ids).toEqual([]);
});

test('what is rolled back never comes', async () => {
  const late = await openTransaction();
  await tell(late.trx, tenantId);
  const { place } = await readAll(db, looker, tenantId, await atStart(looker));
  await late.end('rollback');
  const kept = await tell(db, tenantId);
  expect((await readAll(db, looker, tenantId, place)).ids).toEqual([kept]);
});

// B locks one message, C runs, A tells of another message and ends, then B tells of that one, too. Up to "the oldest
// running transaction", the numbers would say: B before C before A.
test('an event comes after those that its transaction waited for, whatever their numbers', async () => {
  const b = await openTransaction();
  const c = await openTransaction();
  const a = await openTransaction();
  for (const { trx } of [b, c, a]) await number(trx);
  const { place } = await readAll(db, looker, tenantId, await atStart(looker));
  const second = await tell(a.trx, tenantId);
  await a.end('commit');
  const third = await tell(b.trx, tenantId);
  await b.end('commit');
  const { ids, place: later } = await readAll(db, looker, tenantId, place);
  expect(ids).toEqual([second, third]);
  await c.end('rollback');
  expect((await readAll(db, looker, tenantId, later)).ids).toEqual([]);
});

test('a page that is read while others commit goes on where it was', async () => {
  const early = [await tell(db, tenantId), await tell(db, tenantId), await tell(db, tenantId)];
  const first = await step(db, looker, tenantId, await atStart(looker), 2);
  const late = await tell(db, tenantId);
  const rest = await readAll(db, looker, tenantId, first.place, 2);
  expect([...first.events.map(({ id }) => id), ...rest.ids]).toEqual([...early, late]);
});

test('an id made up to 5 s before the transaction got its number is found', async () => {
  const { place } = await readAll(db, looker, tenantId, await atStart(looker));
  const id = (await sql<{ id: string }>`select uuidv7(interval '-4 seconds') as id`.execute(db)).rows[0]!.id;
  await tell(db, tenantId, { id });
  expect((await readAll(db, looker, tenantId, place)).ids).toEqual([id]);
});

test('a fresh process knows no earlier transactions, and finds their events all the same', async () => {
  const late = await openTransaction();
  const id = await tell(late.trx, tenantId);
  await wait(50);
  const fresh = createLooker(db);
  const { ids, place } = await readAll(db, fresh, tenantId, { from: (await fresh.look()).snapshot });
  expect(ids).toEqual([]);
  await late.end('commit');
  expect((await readAll(db, createLooker(db), tenantId, place)).ids).toEqual([id]);
});

test('one statement tells which tenants have news', async () => {
  const others = [await makeTenant(db), await makeTenant(db)];
  await tell(db, others[1]!.tenantId);
  const { snapshot } = await looker.look();
  await tell(db, others[0]!.tenantId);
  const pass = passBetween(snapshot, await looker.look(), longAgo)!;
  const tenants = [tenantId, ...others.map((one) => one.tenantId)];
  expect([...(await tenantsWithNews(db, tenants, pass))]).toEqual([others[0]!.tenantId]);
});

test('the times of a snapshot are never later than the transactions began', async () => {
  const own = createLooker(db);
  await own.look();
  const opened = [await openTransaction(), await openTransaction()];
  const before = Date.now();
  for (const { trx } of opened) await number(trx);
  const { snapshot } = await own.look();
  await tell(db, tenantId);
  const again = (await own.look()).snapshot;
  for (const [, since] of again.running) expect(since).toBeLessThanOrEqual(before + 1_000);
  expect(again.running.length).toBeGreaterThanOrEqual(2);
  expect(again.since).toBeGreaterThanOrEqual(snapshot.since);
  for (const one of opened) await one.end('rollback');
});

test('the history changes with the epoch that the operator renews', async () => {
  const { history } = await looker.look();
  expect((await createLooker(db).look()).history).toBe(history);
  await sql`update event_epoch set epoch = uuidv7()`.execute(db);
  expect((await looker.look()).history).not.toBe(history);
});
