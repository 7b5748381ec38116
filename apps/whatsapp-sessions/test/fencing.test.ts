import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import {
  leavePartitions,
  type PartitionLease,
  type PartitionOwner,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  takePartitions,
} from '@notify/db/ownership';
import { saveDataKey } from '@notify/db/whatsapp';
import { createSecrets } from '@notify/runtime';
import { makeTenant, testDatabase, type TestDatabase } from '@notify/testkit';
import { initAuthCreds } from '@whiskeysockets/baileys';
import { sql } from 'kysely';
import { type DeviceStore, openCreds, openDeviceStore } from '../src/devices/device-store.ts';

let test_: TestDatabase;
let db: Db;
let accountId: string;
let tenantId: string;

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const lane = 'whatsapp-web';
const [one, other] = [newOwner(), newOwner()];

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  ({ tenantId, accountId } = await makeTenant(db, { channel: 'whatsapp', provider: 'whatsapp-web' }));
  await db.insertInto('whatsapp_links').values({ account_id: accountId, tenant_id: tenantId }).execute();
  await preparePartitions(db, { lane, partitions: 4 });
});

afterEach(() => test_[Symbol.asyncDispose]());

function newOwner(): PartitionOwner {
  return { lane, id: randomUUID(), partitions: 16 };
}

/** Undefined if another process holds it. */
async function take(owner: PartitionOwner, partition: number): Promise<PartitionLease> {
  const [taken] = await takePartitions(db, owner, [partition], 60_000);
  return taken?.lease as PartitionLease;
}

function store(lease: PartitionLease, onLost = (): void => undefined): DeviceStore {
  return openDeviceStore({ db, lease, tenantId, accountId, secrets, onLost });
}

const keyPair = () => ({ public: randomBytes(32), private: randomBytes(32) });

test('a lease has one owner until it expires or is released; each owner has a new epoch', async () => {
  const lease = await take(one, 2);
  expect(await take(other, 2)).toBeUndefined();
  expect(await renewPartitions(db, other, 60_000)).toMatchObject({ held: [], free: [0, 1, 3], processes: 1 });
  expect(await renewPartitions(db, one, 60_000)).toMatchObject({ held: [lease], processes: 2 });
  // A process that leaves keeps the partitions it holds, but counts no longer.
  await leavePartitions(db, one);
  expect(await renewPartitions(db, one, 60_000, true)).toMatchObject({ held: [lease] });
  expect(await renewPartitions(db, other, 60_000)).toMatchObject({ processes: 1 });
  await sql`update owned_partitions set leased_until = now()`.execute(db);
  expect((await renewPartitions(db, one, 60_000)).held).toEqual([]);
  const next = await take(other, 2);
  expect(BigInt(next.epoch)).toBe(BigInt(lease.epoch) + 1n);
  await releasePartitions(db, [lease]);
  expect((await renewPartitions(db, other, 60_000)).held).toEqual([next]);
});

test('a lease says whether its partition is new, was given up, or was taken from a process that ended', async () => {
  const from = async (owner: PartitionOwner) =>
    (await takePartitions(db, owner, [3], 60_000)).map((one) => one.from);
  expect(await from(one)).toEqual(['new']);
  await sql`update owned_partitions set leased_until = now()`.execute(db);
  expect(await from(other)).toEqual(['taken-over']);
  const { held } = await renewPartitions(db, other, 60_000);
  await releasePartitions(db, held);
  expect(await from(one)).toEqual(['moved']);
});

test('the next owner reads what the previous one wrote; a replaced owner cannot write, and gets an error', async () => {
  const old = store(await take(one, 1));
  const creds = initAuthCreds();
  const key = keyPair();
  await old.saveCreds(creds);
  await old.keys.set({ 'pre-key': { '1': key }, session: { 'a.0': Buffer.from('ratchet') } });
  await sql`update owned_partitions set leased_until = now()`.execute(db);
  const next = store(await take(other, 1));

  let lost = 0;
  const replaced = store({ lane, partition: 1, owner: one.id, epoch: '1' }, () => (lost += 1));
  await expect(replaced.keys.set({ session: { 'a.0': Buffer.from('stale') } })).rejects.toThrow(/lease/);
  await expect(replaced.saveCreds(initAuthCreds())).rejects.toThrow(/lease/);
  await expect(replaced.keys.set({ 'pre-key': { '1': null } })).rejects.toThrow(/lease/);
  expect(await saveDataKey(db, { lane, partition: 1, owner: one.id, epoch: '1' }, accountId, 'x')).toBe(
    false,
  );
  expect(lost).toBe(3);

  expect(await next.keys.get('session', ['a.0'])).toEqual({ 'a.0': Buffer.from('ratchet') });
  expect(await next.keys.get('pre-key', ['1', '2'])).toEqual({ '1': key });
  const row = await db.selectFrom('whatsapp_links').select('creds').executeTakeFirstOrThrow();
  const read = openCreds({ tenantId, accountId, secrets }, row.creds!);
  expect(Buffer.from(read.noiseKey.private)).toEqual(Buffer.from(creds.noiseKey.private));
});

test('after a device is closed for removal, new work is refused and running work is awaited', async () => {
  const device = store(await take(one, 1));
  const underWay = device.keys.set({ session: { 'a.0': Buffer.from('ratchet') } });
  await device.close();
  expect(await device.keys.get('session', ['a.0'])).toEqual({ 'a.0': Buffer.from('ratchet') });
  await underWay;
  await expect(device.keys.set({ session: { 'b.0': Buffer.from('late') } })).rejects.toThrow(/removed/);
  await expect(device.saveCreds(initAuthCreds())).rejects.toThrow(/removed/);
  await expect(device.saveSent('X', randomUUID(), { conversation: 'late' })).rejects.toThrow(/removed/);
  await expect(device.histories.save('h', null)).rejects.toThrow(/removed/);
});

test('812 keys are written in one statement; removed keys are gone', async () => {
  const { keys } = store(await take(one, 0));
  const pairs = Object.fromEntries(Array.from({ length: 812 }, (_, index) => [String(index + 1), keyPair()]));
  await keys.set({ 'pre-key': pairs });
  await keys.set({ 'pre-key': { '7': null } });
  const { count } = await db
    .selectFrom('whatsapp_keys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(811);
});

test('keys are sealed in the database, and a key moved to another row does not open', async () => {
  const { keys } = store(await take(one, 0));
  await keys.set({ session: { 'a.0': Buffer.from('ratchet-of-a'), 'b.0': Buffer.from('ratchet-of-b') } });
  const { rows } = await sql<{ all: string }>`select json_agg(k)::text as all from whatsapp_keys k`.execute(
    db,
  );
  expect(rows[0]!.all).not.toContain(Buffer.from('ratchet').toString('base64').slice(0, 8));
  await sql`
    update whatsapp_keys a set value = b.value from whatsapp_keys b where a.id = 'a.0' and b.id = 'b.0'`.execute(
    db,
  );
  await expect(keys.get('session', ['a.0'])).rejects.toThrow(/moved here/);
});

test('a process with another partition count takes no partition while processes with the old count run', async () => {
  const [oneOf4, otherOf3] = [
    { ...one, partitions: 4 },
    { ...other, partitions: 3 },
  ];
  expect(await renewPartitions(db, oneOf4, 60_000)).toMatchObject({ processes: 1, disagreeing: 0 });
  expect(await renewPartitions(db, otherOf3, 60_000)).toMatchObject({
    processes: 1,
    disagreeing: 1,
    free: [0, 1, 2],
  });
  expect(await takePartitions(db, otherOf3, [0], 60_000)).toEqual([]);
  // Two processes with different counts that start together take none either.
  expect(await takePartitions(db, oneOf4, [1], 60_000)).toEqual([]);
  await leavePartitions(db, other);
  const [taken] = await takePartitions(db, oneOf4, [1], 60_000);
  await renewPartitions(db, otherOf3, 60_000);
  // The holder keeps its partition; others have none.
  expect(await takePartitions(db, oneOf4, [2], 60_000)).toHaveLength(1);
  await leavePartitions(db, one);
  expect(await takePartitions(db, otherOf3, [0], 60_000)).toEqual([]);
  const { held } = await renewPartitions(db, oneOf4, 60_000, true);
  await releasePartitions(db, held);
  expect(held).toContainEqual(taken!.lease);
  expect(await takePartitions(db, otherOf3, [0], 60_000)).toHaveLength(1);
});
