import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { recountDay, rollUpUsage } from '@notify/db/usage';
import { countUsage, inboundAccountOf, inboundText, testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { storeInbound } from '../store-inbound.ts';
import {
  counted,
  makeSubject,
  post,
  type Report,
  report,
  sendBefore,
  type Subject,
  truth,
} from './usage-world.ts';

let world: TestDatabase;
let db: Db;
let subject: Subject;
beforeEach(async () => {
  world = await testDatabase();
  db = world.db;
  subject = await makeSubject(db);
});
afterEach(() => world[Symbol.asyncDispose]());

/** Counts today and yesterday anew; answers how many figures were wrong. */
async function recount(): Promise<number> {
  const { rows } = await sql<{ day: Date }>`
    select date_trunc('day', now() - make_interval(days => d), 'UTC') as day from generate_series(0, 1) d`.execute(
    db,
  );
  let wrong = 0;
  for (const { day } of rows) {
    wrong += await recountDay(db, 'messages', day);
    wrong += await recountDay(db, 'posts', day);
  }
  return wrong;
}

/** Messages that came to every end, also to one that was corrected, and posts. */
async function traffic(hoursAgo: number, openMs = 0): Promise<void> {
  const ways: Report[][] = [
    [],
    ['sent'],
    ['sent', 'delivered', 'read'],
    ['delivered'],
    ['failed'],
    ['sent', 'failed'],
    ['unknown', 'delivered'],
    ['sent', 'unknown', 'read'],
  ];
  const ids = await sendBefore(db, subject, { count: ways.length, hoursAgo, openMs });
  await storeInbound(db, [inboundText(inboundAccountOf(subject)), inboundText(inboundAccountOf(subject))]);
  for (const [index, way] of ways.entries())
    for (const what of way) await report(db, subject, ids[index]!, what);
  for (const status of [200, 500, null])
    await post(db, subject.webhookId, status, status === 200 ? 2 : 1, openMs);
}

const figures = () => counted(db, subject.tenantId);
const facts = () => truth(db, subject.tenantId);

test('figures that are missing or wrong are put right, for the hours and for their days', async () => {
  await traffic(0);
  await traffic(1);
  await countUsage(db);
  expect(await figures()).toEqual(await facts());
  await sql`update usage set total = total + 7 where measure = 'sent'`.execute(db);
  await sql`delete from usage where measure in ('delivered', 'failure', 'attempts')`.execute(db);
  await sql`delete from usage_failed`.execute(db);
  expect(await figures()).not.toEqual(await facts());
  expect(await recount()).toBeGreaterThan(0);
  expect(await figures()).toEqual(await facts());
  expect(await recount()).toBe(0);
});

test('what is not counted yet is left to the count, which counts it once', async () => {
  await traffic(1);
  await countUsage(db);
  const before = await figures();
  await traffic(0);
  await traffic(1);
  await sql`delete from usage`.execute(db);
  await recount();
  const failures = (lines: readonly string[]) => lines.filter((line) => !line.includes('fail'));
  expect(failures(await figures())).toEqual(failures(before));
  await countUsage(db);
  expect(await figures()).toEqual(await facts());
});

test('a failure that is corrected after it was counted anew counts no more', async () => {
  const [id] = await sendBefore(db, subject, { count: 1, hoursAgo: 0, openMs: 0 });
  await report(db, subject, id!, 'unknown');
  await recount();
  await countUsage(db);
  expect(await figures()).toEqual(await facts());
  await report(db, subject, id!, 'delivered');
  await recount();
  await countUsage(db);
  expect(await figures()).toEqual(await facts());
});

test('messages go on, the count goes on and figures are counted anew, all at once: each counts once', async () => {
  let ended = false;
  const repeat = async (work: () => Promise<unknown>) => {
    while (!ended) await work();
  };
  const working = [
    repeat(() => rollUpUsage(db, { rowsAtOnce: 20, settleWithinMs: 40 })),
    repeat(recount),
    repeat(() => wait(1)),
  ];
  for (let round = 0; round < 6; round += 1) await Promise.all([traffic(0), traffic(1, 30), traffic(0, 10)]);
  ended = true;
  await Promise.all(working);
  await countUsage(db);
  await countUsage(db);
  expect(await figures()).toEqual(await facts());
  expect(await recount()).toBe(0);
});

test('figures of a webhook that is gone stay', async () => {
  await post(db, subject.webhookId, 200, 1);
  await countUsage(db);
  const before = await figures();
  await db.deleteFrom('webhooks').where('id', '=', subject.webhookId).execute();
  expect(await recount()).toBe(0);
  expect(await figures()).toEqual(before);
});

describe('in a database that was restored into another server, whose transaction numbers are lower', () => {
  const ahead = 1_000_000_000;

  test('the count goes on', async () => {
    await traffic(0);
    await countUsage(db);
    await sql`update usage_progress set xid = (${ahead}::text)::xid8, as_of = now() - interval '1 minute'`.execute(
      db,
    );
    // Nothing of that minute was counted when the dump was made.
    await sql`delete from usage`.execute(db);
    await sql`delete from usage_failed`.execute(db);
    await traffic(1);
    await countUsage(db);
    await countUsage(db);
    expect(await figures()).toEqual(await facts());
  });

  test('a count that was under way in the other server is begun anew', async () => {
    await countUsage(db);
    await sql`
      update usage_progress set xid = (${ahead}::text)::xid8, next_xid = (${ahead + 5}::text)::xid8,
        next_as_of = now()`.execute(db);
    await traffic(0);
    await countUsage(db);
    await countUsage(db);
    expect(await figures()).toEqual(await facts());
  });
});
