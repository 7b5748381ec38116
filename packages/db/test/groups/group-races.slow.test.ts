import { setTimeout as wait } from 'node:timers/promises';
import type { Decision, Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { cancelMessage, failExpired } from '@notify/db/messages';
import { applyReceipts, takeReceipts } from '@notify/db/receipts';
import { makeTenant, openTestDb, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, endLease, settle, unknown } from '../dispatching.ts';
import { move, passFor, sendGroup, standing, textGroup } from './grouping.ts';

const rounds = 40;
/** So many groups race side by side, each of its own tenant. */
const together = 10;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = openTestDb(database.url, { hot: true, maxConnections: 30 });
  await watch();
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/**
 * Has Postgres itself note each message of a group that becomes due while another one of it is, or after one was delivered; and has one
 * move in ten die after it has written everything else.
 */
async function watch(): Promise<void> {
  await sql`create table broken (what text, group_id uuid)`.execute(db);
  await sql`
    create function note_broken() returns trigger language plpgsql as $$
      declare of_group uuid := (select group_id from messages where id = new.message_id);
      begin
        insert into broken select 'two under way', of_group from dispatch_due d join messages m on m.id = d.message_id
          where m.group_id = of_group and m.id <> new.message_id;
        insert into broken select 'after a delivery', of_group from messages m
          where m.group_id = of_group and m.status = 'delivered' limit 1;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger note_broken after insert on dispatch_due for each row execute function note_broken()`.execute(
    db,
  );
  await sql`
    create function die() returns trigger language plpgsql as $$
      begin
        if random() < 0.1 then raise exception 'killed' using errcode = 'XX000'; end if;
        return null;
      end
    $$`.execute(db);
  await sql`create trigger die after update on message_groups for each row when (new.updated_at <> old.updated_at)
    execute function die()`.execute(db);
}

const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)]!;
const moment = (): Promise<void> => wait(Math.random() * 12);

const endings: readonly (readonly [Outcome, Decision])[] = [
  [accepted, { kind: 'sent' }],
  [accepted, { kind: 'sent' }],
  [
    { kind: 'rejected', errorCode: 'blocked', text: '' },
    { kind: 'failed', errorCode: 'blocked', text: '' },
  ],
  [
    { kind: 'retry', errorCode: 'busy', text: '' },
    { kind: 'retry', afterMs: 0 },
  ],
  [unknown, { kind: 'await-receipt', afterMs: 60_000 }],
  [unknown, { kind: 'resend', afterMs: 0, possibleDuplicate: true }],
];

/** Everything that changes a group, as often as it may. */
function race(tenant: TestTenant, groupId: string): Promise<unknown> {
  const ids = async () => (await standing(db, groupId)).ids;
  const work = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) {
      await moment();
      const [claimed] = await claim(db, tenant);
      await moment();
      if (claimed !== undefined && Math.random() < 0.85) await settle(db, claimed, ...pick(endings));
    }
  };
  const report = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await moment();
      const status = pick(['delivered', 'failed', 'sent'] as const);
      const messageId = pick(await ids());
      await takeReceipts(db, [
        { accountId: tenant.accountId, messageId, externalId: null, part: null, status },
      ]);
    }
  };
  const look = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      await moment();
      await move(db, groupId).catch(demandKilled);
    }
  };
  const passTime = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await moment();
      await passFor(db, groupId, pick([20, 61])).catch(demandKilled);
    }
  };
  const cancel = async (): Promise<void> => {
    await moment();
    if (Math.random() < 0.2) await cancelMessage(db, tenant.tenantId, pick(await ids()));
  };
  return Promise.all([work(), work(), report(), look(), look(), passTime(), cancel()]);
}

/** A provider says late that everything arrived, also what it refused before. */
async function reportAll(tenant: TestTenant, groupId: string): Promise<void> {
  const { ids } = await standing(db, groupId);
  const status = 'delivered';
  const late = ids.map(
    (messageId) =>
      ({ accountId: tenant.accountId, messageId, externalId: null, part: null, status }) as const,
  );
  await takeReceipts(db, late);
}

function demandKilled(error: unknown): void {
  if (!String(error).includes('killed') && !String(error).includes('deadlock')) throw error;
}

/** The rest of a group's life, in which nobody hinders it. */
async function end(groupId: string): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    await passFor(db, groupId, 3_600).catch(demandKilled);
    await endLease(db);
    await failExpired(db, 100);
    await applyReceipts(db, { kind: 'due', limit: 100 });
    await move(db, groupId).catch(demandKilled);
    const { ended, due } = await standing(db, groupId);
    if (ended && due === 0) return;
  }
}

test('however claims, receipts, cancels, deaths and two movers race, one route is under way at a time, and all ends', async () => {
  const ends = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    const groups = await Promise.all(
      Array.from({ length: together }, async () => {
        const tenant = await makeTenant(db);
        const { groupId } = await sendGroup(db, textGroup(tenant, 3));
        return { tenant, groupId };
      }),
    );
    await Promise.all(groups.map(({ tenant, groupId }) => race(tenant, groupId)));
    const late = groups.filter(() => Math.random() < 0.2);
    await Promise.all(late.map(({ tenant, groupId }) => reportAll(tenant, groupId)));
    for (const { groupId } of groups) {
      await end(groupId);
      const seen = await standing(db, groupId);
      const delivered = seen.messages.filter((one) => one === 'delivered').length;
      expect(seen).toMatchObject({ ended: true, due: 0, twice: delivered > 1 });
      expect(seen.status === 'delivered').toBe(delivered > 0);
      expect(seen.messages.filter((one) => one.startsWith('queued'))).toEqual([]);
      expect(new Set(seen.told).size).toBe(seen.told.length);
      expect(seen.told.includes('group.delivered')).toBe(delivered > 0);
      for (const word of [seen.status, `${seen.ids.length} begun`, seen.twice ? 'twice' : 'once'])
        ends.set(word, (ends.get(word) ?? 0) + 1);
    }
  }
  expect((await sql`select * from broken`.execute(db)).rows).toEqual([]);
  const left = await sql`select from dispatch_due union all select from group_due`.execute(db);
  expect(left.rows).toEqual([]);
  // The races ended in every way.
  for (const word of ['delivered', 'failed', '1 begun', '2 begun', '3 begun', 'twice'])
    expect([word, ends.get(word)]).toEqual([word, expect.any(Number)]);
});
