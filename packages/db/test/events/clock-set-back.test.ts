import type { EventKind } from '@notify/core';
import { takeReceipts } from '@notify/db/receipts';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import type { Db } from '../../src/connection/index.ts';
import { createLooker } from '../../src/events/index.ts';
import { readHistory } from '../../src/messages/history.ts';
import { accepted, claim, send, settle, unknown } from '../dispatching.ts';
import { move, sendGroup, textGroup } from '../groups/grouping.ts';
import { atStart, readAll } from './event-world.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  tenant = await makeTenant(db);
});
afterAll(() => database[Symbol.asyncDispose]());

/**
 * Makes all that has happened to a message so far, and the ids of its events, later by a time: since then the clock was set back. By a
 * negative time: it was set forward.
 */
async function setBack(messageId: string, by: string): Promise<void> {
  await sql`
    update messages set created_at = created_at + ${by}::interval, sent_at = sent_at + ${by}::interval,
      delivered_at = delivered_at + ${by}::interval, read_at = read_at + ${by}::interval, failed_at = failed_at + ${by}::interval, updated_at = updated_at + ${by}::interval
    where id = ${messageId}::uuid`.execute(db);
  await sql`
    update events set id = uuidv7(uuid_extract_timestamp(id) - clock_timestamp() + ${by}::interval)
    where message_id = ${messageId}::uuid`.execute(db);
}

async function report(messageId: string, status: 'delivered' | 'read' | 'failed'): Promise<void> {
  const { accountId } = tenant;
  const failure = status === 'failed' ? { errorCode: 'rejected', text: 'rejected' } : {};
  await takeReceipts(db, [{ accountId, messageId, externalId: null, part: null, status, ...failure }]);
}

async function settleNext(): Promise<void> {
  await settle(db, (await claim(db, tenant))[0]!, accepted, { kind: 'sent' });
}

async function kindsInOrder(): Promise<string[]> {
  const looker = createLooker(db);
  const { ids } = await readAll(db, looker, tenant.tenantId, await atStart(looker), 1);
  const { rows } = await sql<{ id: string; event: string }>`
    select id, event from events where tenant_id = ${tenant.tenantId}::uuid`.execute(db);
  return ids.map((id) => rows.find((row) => row.id === id)!.event);
}

const all: readonly EventKind[] = ['queued', 'sent', 'delivered', 'read'];
const names = all.map((kind) => `message.${kind}`);

describe.each(['200 milliseconds', '1 hour'])('a clock that was set back by %s', (by) => {
  test.each(all.slice(0, 3))(
    'keeps the events of a message in order, and in its history, after %s',
    async (last) => {
      const [messageId] = await send(db, tenant);
      const steps: readonly (() => Promise<unknown>)[] = [
        settleNext,
        () => report(messageId!, 'delivered'),
        () => report(messageId!, 'read'),
      ];
      for (const [index, step] of steps.entries()) {
        if (all[index] === last) await setBack(messageId!, by);
        await step();
      }
      expect(await kindsInOrder()).toEqual(names);
      const { events } = (await readHistory(db, tenant.tenantId, messageId!))!;
      expect(events.map(({ event }) => event)).toEqual(names);
    },
  );

  test('keeps the events of a group in order', async () => {
    const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 1));
    const refusal = { kind: 'rejected', errorCode: 'blocked', text: 'blocked' } as const;
    await settle(db, (await claim(db, tenant))[0]!, refusal, { ...refusal, kind: 'failed' });
    await move(db, groupId);
    await sql`
      update message_groups set ended_at = ended_at + ${by}::interval, updated_at = updated_at + ${by}::interval where id = ${groupId}::uuid`.execute(
      db,
    );
    await sql`update events set id = uuidv7(${by}::interval) where event = 'group.failed'`.execute(db);
    await report(messageId, 'delivered');
    await move(db, groupId);
    const groups = (await kindsInOrder()).filter((name) => name.startsWith('group.'));
    expect(groups).toEqual(['group.failed', 'group.delivered']);
  });

  test('keeps events in order that one transaction tells', async () => {
    const [messageId] = await send(db, tenant);
    const [claimed] = await claim(db, tenant);
    await settle(db, claimed!, unknown, { kind: 'await-receipt', afterMs: 60_000 });
    await setBack(messageId!, by);
    await report(messageId!, 'read');
    expect(await kindsInOrder()).toEqual(names);
  });
});

/** How far the clock was set back before the message was sent, delivered and read. Negative: set forward. */
const wanderings: readonly (readonly string[])[] = [
  ['200 milliseconds', '-1 second', '0'],
  ['5 seconds', '-6 seconds', '2 seconds'],
  ['1 hour', '-59 minutes', '2 minutes'],
  ['1 hour', '-1 hour -20 seconds', '10 seconds'],
  ['-1 hour', '1 hour', '1 hour'],
  ['5 milliseconds', '5 milliseconds', '5 milliseconds'],
  ['0', '40 milliseconds', '-20 milliseconds'],
];

test.each(wanderings)('a clock that is set back by %s, %s and %s keeps the order', async (...by) => {
  const [messageId] = await send(db, tenant);
  await setBack(messageId!, by[0]!);
  await settleNext();
  await setBack(messageId!, by[1]!);
  await report(messageId!, 'delivered');
  await setBack(messageId!, by[2]!);
  await report(messageId!, 'read');
  expect(await kindsInOrder()).toEqual(names);
  const { events } = (await readHistory(db, tenant.tenantId, messageId!))!;
  expect(events.map(({ event }) => event)).toEqual(names);
});

test('a failure that is corrected after the clock was set back stays before its correction', async () => {
  const [messageId] = await send(db, tenant);
  await settleNext();
  // Each step came an hour before the failure.
  await setBack(messageId!, '-1 hour');
  await report(messageId!, 'failed');
  await setBack(messageId!, '5 minutes');
  await report(messageId!, 'delivered');
  await setBack(messageId!, '-1 second');
  await report(messageId!, 'read');
  const told = ['message.queued', 'message.sent', 'message.failed', 'message.delivered', 'message.read'];
  expect(await kindsInOrder()).toEqual(told);
  const { events } = (await readHistory(db, tenant.tenantId, messageId!))!;
  expect(events.map(({ event }) => event)).toEqual(told);
});

test('a message of the version before, whose id was made after its updated_at, keeps the order', async () => {
  const [messageId] = await send(db, tenant);
  await sql`
    update messages set updated_at = created_at - interval '1 second', created_at = created_at - interval '1 second'
    where id = ${messageId!}::uuid`.execute(db);
  await setBack(messageId!, '1 hour');
  await settleNext();
  await setBack(messageId!, '-1 second');
  await report(messageId!, 'read');
  expect(await kindsInOrder()).toEqual(names);
});

test('a message whose clock was right has the ids of its events within milliseconds of their time', async () => {
  const [messageId] = await send(db, tenant);
  await settleNext();
  await report(messageId!, 'read');
  const { rows } = await sql<{ ahead: number }>`
    select extract(epoch from uuid_extract_timestamp(e.id) - m.updated_at)::float8 * 1000 as ahead
    from events e join messages m on m.id = e.message_id where m.id = ${messageId!}::uuid order by e.id desc limit 1`.execute(
    db,
  );
  expect(rows[0]!.ahead).toBeLessThanOrEqual(all.length - 1);
});
