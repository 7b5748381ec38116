import { type OwnedLane, usualOwnedPartitions } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bigint, int, text, unnestRows, uuid } from '../connection/rows.ts';

/** A process that shares the partitions of a lane. */
export interface PartitionOwner {
  readonly lane: OwnedLane;
  /** A new one with every start. */
  readonly id: string;
  /** The number of partitions that it is configured with. */
  readonly partitions: number;
}

/** A partition of a lane that a process holds, with the epoch in which it took it. */
export interface PartitionLease {
  readonly lane: OwnedLane;
  readonly partition: number;
  readonly owner: string;
  readonly epoch: string;
}

/** A lease that was just taken, and from whom: nobody, a process that gave it up, or one that has ended or hangs. */
export interface TakenLease {
  readonly lease: PartitionLease;
  readonly from: 'new' | 'moved' | 'taken-over';
}

/** The partitions of a lane as one process sees them. */
export interface PartitionsView {
  /** The leases just renewed. A lease that is missing here has been lost. */
  readonly held: readonly PartitionLease[];
  /** Partitions without an owner. */
  readonly free: readonly number[];
  /** Processes that share them, this one included. */
  readonly processes: number;
  /** Processes configured with another number of partitions, which therefore share other ones. */
  readonly disagreeing: number;
}

/** Makes the missing rows of all partitions of the owner's lane. */
export async function preparePartitions(
  db: Db,
  { lane, partitions }: Pick<PartitionOwner, 'lane' | 'partitions'>,
): Promise<void> {
  await sql`
    insert into owned_partitions (lane, partition) select ${lane}::text, generate_series(0, ${partitions}::int - 1)
    on conflict do nothing`.execute(db);
}

/**
 * Renews the leases of `owner`, for `leaseMs` from now on the database's clock, and returns the state of the
 * partitions. An expired lease is not renewed, even if the partition is still free. `owner` counts among the processes
 * that share the partitions, unless it is leaving.
 */
export async function renewPartitions(
  db: Db,
  { lane, id, partitions }: PartitionOwner,
  leaseMs: number,
  leaving = false,
): Promise<PartitionsView> {
  const until = leaseEnd(leaseMs);
  const { rows } = await sql<PartitionsView>`
    with seen as (
      insert into partition_owners (id, lane, seen_until, partitions)
      select ${id}::uuid, ${lane}::text, ${until}, ${partitions}::int where not ${leaving}::boolean
      on conflict (id) do update set seen_until = excluded.seen_until
    ),
    others as (
      select partitions from partition_owners where lane = ${lane} and id <> ${id} and seen_until > now()
    ),
    renewed as (
      update owned_partitions set leased_until = ${until}
      where lane = ${lane} and owner = ${id} and leased_until > now()
      returning lane, partition, owner, epoch::text
    )
    select
      coalesce((select json_agg(renewed order by partition) from renewed), '[]') as held,
      coalesce((select json_agg(partition order by partition) from owned_partitions
        where lane = ${lane} and partition < ${partitions} and (owner is null or leased_until <= now())), '[]') as free,
      (select count(*)::int + 1 from others where partitions = ${partitions}) as processes,
      (select count(*)::int from others where partitions <> ${partitions}) as disagreeing
    `.execute(db);
  return rows[0]!;
}

/**
 * Takes the partitions among `wanted` that have no owner and no running write under an old lease, each in a new
 * epoch. With another number of partitions, an account belongs to another partition. So a process without partitions
 * takes none while another process of its lane is configured with another number, or has left and still holds some. When
 * two processes begin at once, at least one sees the other here, because both announced themselves before.
 */
export async function takePartitions(
  db: Db,
  { lane, id, partitions }: PartitionOwner,
  wanted: readonly number[],
  leaseMs: number,
): Promise<TakenLease[]> {
  const { rows } = await sql<PartitionLease & Pick<TakenLease, 'from'>>`
    with free as (
      select partition from owned_partitions
      where lane = ${lane} and partition = any (${[...wanted]}::int[]) and (owner is null or leased_until <= now())
        and (
          exists (select from owned_partitions where lane = ${lane} and owner = ${id} and leased_until > now())
          or not exists (
            select from partition_owners
            where lane = ${lane} and id <> ${id} and seen_until > now() and partitions <> ${partitions})
          and not exists (
            select from owned_partitions l left join partition_owners holder on holder.id = l.owner
            where l.lane = ${lane} and l.leased_until > now() and coalesce(holder.partitions, ${usualOwnedPartitions}) <> ${partitions})
        )
      order by partition for update skip locked
    )
    update owned_partitions p set owner = ${id}, epoch = p.epoch + 1, leased_until = ${leaseEnd(leaseMs)}
    from free where p.lane = ${lane} and p.partition = free.partition
    returning p.lane, p.partition, p.owner, p.epoch::text,
      case when old.owner is not null then 'taken-over' when old.epoch > 0 then 'moved' else 'new' end as "from"`.execute(
    db,
  );
  return rows.map(({ from, ...lease }) => ({ lease, from }));
}

/** Releases partitions, so that another process may take them at once. */
export async function releasePartitions(db: Db, leases: readonly PartitionLease[]): Promise<void> {
  const released = unnestRows('l', leases, {
    lane: text((lease) => lease.lane),
    partition: int((lease) => lease.partition),
    owner: uuid((lease) => lease.owner),
    epoch: bigint((lease) => lease.epoch),
  });
  await sql`
    update owned_partitions p set owner = null, leased_until = null
    from ${released}
    where p.lane = l.lane and p.partition = l.partition and p.owner = l.owner and p.epoch = l.epoch`.execute(
    db,
  );
}

/** Stops sharing the partitions; the process may hold some a moment longer. Forgets processes that ended long ago. */
export async function leavePartitions(db: Db, { id }: Pick<PartitionOwner, 'id'>): Promise<void> {
  await sql`update partition_owners set seen_until = now() where id = ${id}`.execute(db);
  await sql`delete from partition_owners where seen_until < now() - interval '1 minute'`.execute(db);
}

/** Whether a process that holds connections of the lane runs, in SQL. */
export function hasOwner(lane: OwnedLane): RawBuilder<boolean> {
  return sql`exists (select from partition_owners where lane = ${lane} and seen_until > now())`;
}

/**
 * One row while the lease is held, none when it is lost, in SQL. The lock admits renewals. A new owner waits until the
 * writes under it are committed.
 */
export function heldLease({ lane, partition, owner, epoch }: PartitionLease): RawBuilder<unknown> {
  return sql`select 1 from owned_partitions
    where lane = ${lane} and partition = ${partition} and owner = ${owner} and epoch = ${epoch}::bigint
    for key share`;
}

/** Runs changes, each joined to `lease`, in one statement. False when the lease is lost. */
export async function underLease(
  db: Db,
  lease: PartitionLease,
  changes: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    with lease as materialized (${heldLease(lease)}), ${changes}
    select exists (select from lease) as held`.execute(db);
  return rows[0]?.held === true;
}

function leaseEnd(leaseMs: number): RawBuilder<Date> {
  return sql`now() + make_interval(secs => ${leaseMs}::float8 / 1000)`;
}
