import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { purgeTenants, removeOldUsage } from '@notify/db/maintenance';
import { deleteTenant } from '@notify/db/tenants';
import { rollUpUsage } from '@notify/db/usage';
import { countUsage, openTestDb, testDatabase, type TestDatabase } from '@notify/testkit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { counted, makeSubject, post, type Report, report, sendBefore, truth } from './usage-world.ts';

let world: TestDatabase;
beforeAll(async () => {
  world = await testDatabase();
});
afterAll(() => world[Symbol.asyncDispose]());

/** What may be reported of one message, in any order; that it failed at most once, since a second time is not told. */
const reports = fc
  .tuple(
    fc.subarray<Report>(['sent', 'delivered', 'read']),
    fc.constantFrom<Report[]>([], ['failed'], ['unknown']),
  )
  .chain(([some, failure]) => fc.shuffledSubarray([...some, ...failure], { minLength: some.length }));

const send = fc.record({
  kind: fc.constant('send' as const),
  count: fc.integer({ min: 1, max: 12 }),
  hoursAgo: fc.integer({ min: 0, max: 60 }),
  openMs: fc.integer({ min: 0, max: 40 }),
  reports: fc.array(reports, { minLength: 1, maxLength: 12 }),
});
const posting = fc.record({
  kind: fc.constant('post' as const),
  status: fc.constantFrom(200, 204, 301, 404, 500, 599, null),
  number: fc.integer({ min: 1, max: 3 }),
  openMs: fc.integer({ min: 0, max: 40 }),
});
const counting = fc.record({
  kind: fc.constant('count' as const),
  rowsAtOnce: fc.constantFrom(20, 300, 1_000),
});
const killing = fc.constant({ kind: 'kill' as const });
const action = fc.oneof(
  { weight: 4, arbitrary: send },
  { weight: 2, arbitrary: posting },
  { weight: 4, arbitrary: counting },
  { weight: 1, arbitrary: killing },
);
/** All at random moments of the same fraction of a second. */
const traffic = fc.array(fc.tuple(fc.integer({ min: 0, max: 250 }), action), {
  minLength: 20,
  maxLength: 50,
});

test('whatever happens at once, and whoever is killed while counting, all is counted once', async () => {
  const { db, url } = world;
  const counters = openTestDb(url, { applicationName: 'counting', maxConnections: 4 });
  await fc.assert(
    fc.asyncProperty(traffic, async (actions) => {
      const subject = await makeSubject(db);
      await Promise.all(
        actions.map(async ([afterMs, action]) => {
          await wait(afterMs);
          switch (action.kind) {
            case 'send': {
              const ids = await sendBefore(db, subject, action);
              await Promise.all(
                ids.map(async (id, index) => {
                  for (const what of action.reports[index % action.reports.length]!)
                    await report(db, subject, id, what);
                }),
              );
              return;
            }
            case 'post':
              return post(db, subject.webhookId, action.status, action.number, action.openMs);
            case 'count':
              await rollUpUsage(counters, { rowsAtOnce: action.rowsAtOnce, settleWithinMs: 40 }).catch(
                () => 0,
              );
              return;
            case 'kill':
              await sql`
                select pg_terminate_backend(pid) from pg_stat_activity
                where application_name = 'counting' and datname = current_database()`.execute(db);
          }
        }),
      );
      await countUsage(db);
      // One that began a pass may have left it half done: it is finished, and then the rest is counted.
      await countUsage(db);
      expect(await counted(db, subject.tenantId)).toEqual(await truth(db, subject.tenantId));
    }),
    { numRuns: 6, endOnFailure: true },
  );
  await counters.destroy();
});

test('what is committed an hour late is not passed over', async () => {
  const { db } = world;
  const subject = await makeSubject(db);
  const [id] = await sendBefore(db, subject, { count: 1, hoursAgo: 5, openMs: 0 });
  await report(db, subject, id!, 'delivered');
  await countUsage(db);
  await sql`update usage_progress set as_of = now() - interval '2 hours'`.execute(db);
  const before = await asOf(db);
  const [open, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = db.transaction().execute(async (trx) => {
    await sql`update messages set read_at = now() where id = ${id!}`.execute(trx);
    await sql`
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
      values (uuidv7(interval '-1 hour'), ${subject.tenantId}, ${id!}, 'message.read', 4, '{}', now())`.execute(
      trx,
    );
    written.resolve();
    await open.promise;
  });
  await written.promise;
  await rollUpUsage(db, { settleWithinMs: 0 });
  expect(await counted(db, subject.tenantId)).toEqual(await truth(db, subject.tenantId));
  expect(await asOf(db)).toEqual(before);
  open.resolve();
  await late;
  await countUsage(db);
  expect(await counted(db, subject.tenantId)).toEqual(await truth(db, subject.tenantId));
  expect((await counted(db, subject.tenantId)).join()).toContain('read');
});

async function asOf(db: Db): Promise<Date | null> {
  const events = db.selectFrom('usage_progress').select('as_of').where('source', '=', 'events');
  return (await events.executeTakeFirstOrThrow()).as_of;
}

test('a failure that is corrected later counts no more, wherever the count was in between', async () => {
  const { db } = world;
  for (const correction of ['delivered', 'sent', 'read'] as const) {
    const subject = await makeSubject(db);
    const [id] = await sendBefore(db, subject, { count: 1, hoursAgo: 30, openMs: 0 });
    await report(db, subject, id!, 'unknown');
    await countUsage(db);
    expect(await counted(db, subject.tenantId)).toEqual(await truth(db, subject.tenantId));
    expect((await counted(db, subject.tenantId)).join()).toContain('failure outcome-unknown 1');
    await report(db, subject, id!, correction);
    await countUsage(db);
    expect(await counted(db, subject.tenantId)).toEqual(await truth(db, subject.tenantId));
    expect((await counted(db, subject.tenantId)).join()).not.toContain('failure');
  }
});

test('what another process has counted just now is left alone', async () => {
  const { db } = world;
  const subject = await makeSubject(db);
  await countUsage(db);
  await post(db, subject.webhookId, 200, 1);
  expect(await rollUpUsage(db, { notWithinMs: 60_000 })).toBe(0);
  expect(await countUsage(db)).toBeGreaterThan(0);
});

test('figures of a time that is kept no more go, and those of a deleted tenant', async () => {
  const { db } = world;
  const [kept, gone] = [await makeSubject(db), await makeSubject(db)];
  for (const subject of [kept, gone]) {
    await sendBefore(db, subject, { count: 5, hoursAgo: 24 * 40, openMs: 0 });
    await sendBefore(db, subject, { count: 5, hoursAgo: 24 * 20, openMs: 0 });
  }
  await countUsage(db);
  await removeOldUsage(db, 30);
  const left = await counted(db, kept.tenantId);
  expect(left.length).toBe(4);
  expect(await counted(db, gone.tenantId)).toHaveLength(left.length);
  await deleteTenant(db, gone.tenantId);
  await purgeTenants(db);
  expect(await counted(db, gone.tenantId)).toEqual([]);
  expect(await counted(db, kept.tenantId)).toEqual(left);
  const { rows } = await sql`
    select from usage_failed where message_id not in (select id from messages)`.execute(db);
  expect(rows).toEqual([]);
});
