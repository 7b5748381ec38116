import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bigint, int, unnestRows, uuid } from '../connection/rows.ts';

/** A partition of linked devices that a process holds, with the epoch in which it took it. */
export interface PartitionLease {
  readonly partition: number;
  readonly owner: string;
  readonly epoch: string;
}

/** A lease that was just taken, and from whom: nobody, a process that gave it up, or one that has ended or hangs. */
export interface TakenLease {
  readonly lease: PartitionLease;
  readonly from: 'new' | 'moved' | 'taken-over';
}

/** The partitions as one process sees them. */
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

/** The default number of partitions. */
const usualCount = 16;

/** Makes the missing rows of partitions 0 to `count` - 1. */
export async function preparePartitions(db: Db, count: number): Promise<void> {
  await sql`
    insert into whatsapp_partitions (partition) select generate_series(0, ${count}::int - 1)
    on conflict do nothing`.execute(db);
}

/**
 * Renews the leases of `owner`, for `leaseMs` from now on the database's clock, and returns the state of the
 * partitions. An expired lease is not renewed, even if the partition is still free. `owner` counts among the processes
 * that share `count` partitions, unless it is leaving.
 */
export async function renewPartitions(
  db: Db,
  owner: string,
  leaseMs: number,
  leaving = false,
  count = usualCount,
): Promise<PartitionsView> {
  const until = leaseEnd(leaseMs);
  const { rows } = await sql<PartitionsView>`
    with seen as (
      insert into whatsapp_processes (id, seen_until, partitions)
      select ${owner}::uuid, ${until}, ${count}::int where not ${leaving}::boolean
      on conflict (id) do update set seen_until = excluded.seen_until
    ),
    others as (
      select partitions from whatsapp_processes where id <> ${owner} and seen_until > now()
    ),
    renewed as (
      update whatsapp_partitions set leased_until = ${until}
      where owner = ${owner} and leased_until > now()
      returning partition, owner, epoch::text
    )
    select
      coalesce((select json_agg(renewed order by partition) from renewed), '[]') as held,
      coalesce((select json_agg(partition order by partition) from whatsapp_partitions
        where partition < ${count} and (owner is null or leased_until <= now())), '[]') as free,
      (select count(*)::int + 1 from others where partitions = ${count}) as processes,
      (select count(*)::int from others where partitions <> ${count}) as disagreeing
    `.execute(db);
  return rows[0]!;
}

/**
 * Takes the partitions among `partitions` that have no owner and no running write under an old lease, each in a new
 * epoch. With another number of partitions, an account belongs to another partition. So a process without partitions
 * takes none while another process is configured with another number, or has left and still holds some. When two
 * processes begin at once, at least one sees the other here, because both announced themselves before.
 */
export async function takePartitions(
  db: Db,
  owner: string,
  partitions: readonly number[],
  leaseMs: number,
  count = usualCount,
): Promise<TakenLease[]> {
  const { rows } = await sql<PartitionLease & Pick<TakenLease, 'from'>>`
    with free as (
      select partition from whatsapp_partitions
      where partition = any (${[...partitions]}::int[]) and (owner is null or leased_until <= now())
        and (
          exists (select from whatsapp_partitions where owner = ${owner} and leased_until > now())
          or not exists (
            select from whatsapp_processes where id <> ${owner} and seen_until > now() and partitions <> ${count})
          and not exists (
            select from whatsapp_partitions l left join whatsapp_processes holder on holder.id = l.owner
            where l.leased_until > now() and coalesce(holder.partitions, ${usualCount}) <> ${count})
        )
      order by partition for update skip locked
    )
    update whatsapp_partitions p set owner = ${owner}, epoch = p.epoch + 1, leased_until = ${leaseEnd(leaseMs)}
    from free where p.partition = free.partition
    returning p.partition, p.owner, p.epoch::text,
      case when old.owner is not null then 'taken-over' when old.epoch > 0 then 'moved' else 'new' end as "from"`.execute(
    db,
  );
  return rows.map(({ from, ...lease }) => ({ lease, from }));
}

/** Releases partitions, so that another process may take them at once. */
export async function releasePartitions(db: Db, leases: readonly PartitionLease[]): Promise<void> {
  const released = unnestRows('l', leases, {
    partition: int((lease) => lease.partition),
    owner: uuid((lease) => lease.owner),
    epoch: bigint((lease) => lease.epoch),
  });
  await sql`
    update whatsapp_partitions p set owner = null, leased_until = null
    from ${released}
    where p.partition = l.partition and p.owner = l.owner and p.epoch = l.epoch`.execute(db);
}

/** Stops sharing the partitions; the process may hold some a moment longer. Forgets processes that ended long ago. */
export async function leavePartitions(db: Db, owner: string): Promise<void> {
  await sql`update whatsapp_processes set seen_until = now() where id = ${owner}`.execute(db);
  await sql`delete from whatsapp_processes where seen_until < now() - interval '1 minute'`.execute(db);
}

/**
 * One row while the lease is held, none when it is lost, in SQL. The lock admits renewals. A new owner waits until the
 * writes under it are committed.
 */
export function heldLease({ partition, owner, epoch }: PartitionLease): RawBuilder<unknown> {
  return sql`select 1 from whatsapp_partitions
    where partition = ${partition} and owner = ${owner} and epoch = ${epoch}::bigint for key share`;
}

function leaseEnd(leaseMs: number): RawBuilder<Date> {
  return sql`now() + make_interval(secs => ${leaseMs}::float8 / 1000)`;
}
