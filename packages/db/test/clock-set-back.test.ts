import type { EventKind } from '@notify/core';
import { takeReceipts } from '@notify/db/receipts';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import type { Db } from '../src/connection/index.ts';
import { createLooker } from '../src/events/index.ts';
import { readHistory } from '../src/messages/history.ts';
import { accepted, claim, send, settle, unknown } from './dispatching.ts';
import { atStart, readAll } from './event-world.ts';
import { move, sendGroup, textGroup } from './grouping.ts';

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

/** Makes all that has happened to a message so far, and the ids of its events, later by a time: since then the clock was set back. */
async function setBack(messageId: string, by: string): Promise<void> {
  await sql`
    update messages set created_at = created_at + ${by}::interval, sent_at = sent_at + ${by}::interval,
      delivered_at = delivered_at + ${by}::interval, updated_at = updated_at + ${by}::interval
    where id = ${messageId}::uuid`.execute(db);
  await sql`
    update events set id = uuidv7(uuid_extract_timestamp(id) - clock_timestamp() + ${by}::interval)
    where message_id = ${messageId}::uuid`.execute(db);
}

async function report(messageId: string, status: 'delivered' | 'read'): Promise<void> {
  const { accountId } = tenant;
  await takeReceipts(db, [{ accountId, messageId, externalId: null, part: null, status }]);
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
        async () => settle(db, (await claim(db, tenant))[0]!, accepted, { kind: 'sent' }),
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
    await sql`update message_groups set ended_at = ended_at + ${by}::interval where id = ${groupId}::uuid`.execute(
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
