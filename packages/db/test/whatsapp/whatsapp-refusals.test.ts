import { randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { type PartitionLease, preparePartitions, takePartitions } from '@notify/db/ownership';
import {
  contactWait,
  findLink,
  holdLogins,
  loginStanding,
  markRefused,
  markTaken,
  notePushback,
  restrictDevice,
  saveContact,
  takePlace,
} from '@notify/db/whatsapp';
import { makeTenant, testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';

let test_: TestDatabase;
let db: Db;
let tenantId: string;
let accountId: string;
let lease: PartitionLease;

const rules = { perDay: 2, warmUpDays: 0 };
const dayMs = 86_400_000;

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  ({ tenantId, accountId } = await makeTenant(db, { channel: 'whatsapp', provider: 'whatsapp-web' }));
  await db.insertInto('whatsapp_links').values({ account_id: accountId, tenant_id: tenantId }).execute();
  const owner = { lane: 'whatsapp-web', id: randomUUID(), partitions: 1 } as const;
  await preparePartitions(db, owner);
  lease = (await takePartitions(db, owner, [0], 60_000))[0]!.lease;
});

afterEach(() => test_[Symbol.asyncDispose]());

async function write(to: string): Promise<void> {
  await saveContact(db, accountId, to, `${to}@s.whatsapp.net`);
  await takePlace(db, accountId, to);
}

const wait = (to: string) => contactWait(db, accountId, to, rules);
const pass = (interval: string) =>
  sql`update whatsapp_contacts set first_sent_at = first_sent_at - ${interval}::interval,
    refused_until = refused_until - ${interval}::interval`.execute(db);

test('a contact that was written to has its place of the day, and is known once WhatsApp has taken a message', async () => {
  await write('1');
  await write('2');
  expect(await wait('3')).toMatchObject({ of: 'new-contacts' });
  expect(await wait('1')).toBeNull();
  await pass('2 days');
  await write('3');
  await write('4');
  expect(await wait('1')).toMatchObject({ of: 'new-contacts' });
  await markTaken(db, accountId, '1');
  expect(await wait('1')).toBeNull();
});

test('a refused contact waits a day, then two, up to 30, and takes a new place after each', async () => {
  await write('1');
  const waits: number[] = [];
  for (let refusal = 1; refusal <= 7; refusal += 1) {
    await markRefused(db, accountId, '1');
    const held = await wait('1');
    expect(held).toMatchObject({ of: 'contact' });
    waits.push(Math.round(held!.waitMs / dayMs));
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
  await pass('40 days');
  expect(await wait('1')).toBeNull();
  await takePlace(db, accountId, '1');
  expect(await findLink(db, tenantId, accountId)).toMatchObject({ newContacts: 1 });
  await markTaken(db, accountId, '1');
  await markRefused(db, accountId, '1');
  expect((await wait('1'))!.waitMs).toBeLessThanOrEqual(dayMs);
});

test('contacts that were written to by the version before are known', async () => {
  const old = { account_id: accountId, recipient: '1', jid: 'x', first_sent_at: new Date(0) };
  await db.insertInto('whatsapp_contacts').values(old).execute();
  await restrictDevice(db, lease, accountId, { kind: 'for', ms: dayMs });
  expect(await wait('1')).toBeNull();
  expect(await wait('2')).toMatchObject({ of: 'new-contacts' });
});

test('a restriction is made longer, never shorter, until it is lifted', async () => {
  const end = new Date(Date.now() + 3 * dayMs);
  const until = async () => (await findLink(db, tenantId, accountId))!.restrictedUntil;
  await restrictDevice(db, lease, accountId, { kind: 'until', end });
  await restrictDevice(db, lease, accountId, { kind: 'for', ms: dayMs });
  await restrictDevice(db, lease, accountId, { kind: 'until', end: new Date() });
  expect(await until()).toEqual(end);
  await restrictDevice(db, lease, accountId, { kind: 'lifted', restMs: 3_600_000 });
  expect((await until())!.getTime()).toBeLessThan(Date.now() + dayMs);
  await restrictDevice(db, lease, accountId, { kind: 'lifted', restMs: 0 });
  expect(await until()).toBeNull();
});

test('logins are held until the later of two ends, or until the tenant acts; each hold is counted', async () => {
  const state = { status: 'disconnected', detail: 'Banned.' } as const;
  const ends = { afterMs: 60_000, until: new Date(Date.now() + dayMs) };
  expect(await loginStanding(db, accountId)).toEqual({ waitMs: 0, refusals: 0 });
  expect(await holdLogins(db, lease, accountId, { ends, state })).toBe(true);
  const { waitMs, refusals } = await loginStanding(db, accountId);
  expect(waitMs).toBeGreaterThan(dayMs - 60_000);
  expect(refusals).toBe(1);
  await holdLogins(db, lease, accountId, { ends: 'asked', state });
  expect(await loginStanding(db, accountId)).toEqual({ waitMs: Infinity, refusals: 2 });
  await sql`update owned_partitions set epoch = epoch + 1`.execute(db);
  expect(await holdLogins(db, lease, accountId, { ends, state })).toBe(false);
  expect(await loginStanding(db, accountId)).toEqual({ waitMs: Infinity, refusals: 2 });
});

test('pushbacks add up, go with what is taken, and those of yesterday are over', async () => {
  await write('1');
  expect(await notePushback(db, accountId)).toBe(1);
  expect(await notePushback(db, accountId)).toBe(2);
  expect(await markTaken(db, accountId, '1')).toBe(1);
  expect(await notePushback(db, accountId)).toBe(2);
  await sql`update whatsapp_links set pushed_back_at = now() - interval '25 hours'`.execute(db);
  expect(await notePushback(db, accountId)).toBe(1);
  expect(await markTaken(db, accountId, '1')).toBe(0);
  expect(await markTaken(db, accountId, '1')).toBe(0);
});
