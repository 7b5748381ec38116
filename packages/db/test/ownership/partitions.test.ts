import { randomUUID } from 'node:crypto';
import type { OwnedLane } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  leavePartitions,
  type PartitionOwner,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  takePartitions,
  tellConnectionState,
} from '@notify/db/ownership';
import { makeTenant, testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';

let test_: TestDatabase;
let db: Db;

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
});

afterEach(() => test_[Symbol.asyncDispose]());

const forMs = 60_000;
const devices: PartitionOwner = { lane: 'whatsapp-web', id: randomUUID(), partitions: 2 };
/** A lane that no provider has. */
const others: PartitionOwner = { lane: 'other' as OwnedLane, id: randomUUID(), partitions: 3 };

test('each lane has its own partitions, owners and number of partitions', async () => {
  for (const owner of [devices, others]) await preparePartitions(db, owner);
  expect(await renewPartitions(db, devices, forMs)).toMatchObject({ held: [], free: [0, 1], processes: 1 });
  expect(await renewPartitions(db, others, forMs)).toEqual({
    held: [],
    free: [0, 1, 2],
    processes: 1,
    disagreeing: 0,
  });
  const mine = await takePartitions(db, devices, [0, 1], forMs);
  const theirs = await takePartitions(db, others, [0, 1, 2], forMs);
  expect(mine.map(({ lease }) => [lease.lane, lease.partition])).toEqual([
    ['whatsapp-web', 0],
    ['whatsapp-web', 1],
  ]);
  expect(theirs).toHaveLength(3);
  await releasePartitions(
    db,
    mine.map(({ lease }) => lease),
  );
  expect(await renewPartitions(db, others, forMs)).toMatchObject({ free: [] });
  expect(await renewPartitions(db, devices, forMs)).toMatchObject({ held: [], free: [0, 1] });
});

test('a lease of one lane admits no write under the same partition of another', async () => {
  for (const owner of [devices, others]) await preparePartitions(db, owner);
  const [taken] = await takePartitions(db, others, [0], forMs);
  const { accountId } = await makeTenant(db);
  const state = { status: 'disconnected', detail: 'told' } as const;
  expect(await tellConnectionState(db, { ...taken!.lease, lane: 'whatsapp-web' }, accountId, state)).toBe(
    false,
  );
  expect(await tellConnectionState(db, taken!.lease, accountId, state)).toBe(true);
});

/** The statements of version 0.1.0 before migration 0051, which runs beside this one during an upgrade. */
const before = {
  async prepare(count: number): Promise<void> {
    await sql`
      insert into whatsapp_partitions (partition) select generate_series(0, ${count}::int - 1)
      on conflict do nothing`.execute(db);
  },
  async announce(owner: string, count: number): Promise<void> {
    await sql`
      insert into whatsapp_processes (id, seen_until, partitions)
      select ${owner}::uuid, now() + interval '1 minute', ${count}::int
      on conflict (id) do update set seen_until = excluded.seen_until`.execute(db);
  },
  async renew(owner: string): Promise<number[]> {
    const { rows } = await sql<{ partition: number }>`
      update whatsapp_partitions set leased_until = now() + interval '1 minute'
      where owner = ${owner} and leased_until > now() returning partition`.execute(db);
    return rows.map(({ partition }) => partition);
  },
  async take(owner: string, partitions: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ partition: number }>`
      with free as (
        select partition from whatsapp_partitions
        where partition = any (${[...partitions]}::int[]) and (owner is null or leased_until <= now())
        order by partition for update skip locked
      )
      update whatsapp_partitions p set owner = ${owner}, epoch = p.epoch + 1, leased_until = now() + interval '1 minute'
      from free where p.partition = free.partition
      returning p.partition,
        case when old.owner is not null then 'taken-over' when old.epoch > 0 then 'moved' else 'new' end as "from"`.execute(
      db,
    );
    return rows.map(({ partition }) => partition);
  },
  async isHeld(owner: string, partition: number): Promise<boolean> {
    const { rows } = await sql`
      with lease as materialized (
        select 1 from whatsapp_partitions where partition = ${partition} and owner = ${owner} for key share
      )
      select from lease`.execute(db);
    return rows.length === 1;
  },
};

test('a process of the version before shares partitions with one of this version, and none has two owners', async () => {
  const old = randomUUID();
  await before.prepare(2);
  await preparePartitions(db, devices);
  await preparePartitions(db, others);
  await before.announce(old, 2);
  await before.announce(old, 2);
  expect(await renewPartitions(db, devices, forMs)).toMatchObject({
    free: [0, 1],
    processes: 2,
    disagreeing: 0,
  });
  // Partition 2 belongs to another lane, which the version before does not know.
  expect(await before.take(old, [0, 2])).toEqual([0]);
  expect((await takePartitions(db, devices, [0, 1], forMs)).map(({ lease }) => lease.partition)).toEqual([1]);
  expect(await before.take(old, [0, 1])).toEqual([]);
  expect(await before.renew(old)).toEqual([0]);
  expect([await before.isHeld(old, 0), await before.isHeld(devices.id, 1)]).toEqual([true, true]);
  await sql`update whatsapp_partitions set owner = null, leased_until = null where owner = ${old}`.execute(
    db,
  );
  expect(await takePartitions(db, devices, [0], forMs)).toMatchObject([{ from: 'moved' }]);
  await leavePartitions(db, devices);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from whatsapp_processes where seen_until > now()`.execute(db);
  expect(rows).toEqual([{ count: 1 }]);
});
