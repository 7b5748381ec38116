import type pg from 'pg';

/**
 * The lock of a turn and the time of a check that stay the same for this long, in ms, are nobody's. A worker renews its locks
 * at least every 2.5 s and checks every 2 s, and the check takes a turn whose worker has ended within 9 s.
 */
const stillMs = 10_000;

/** What is not looked at for this long, in ms, is forgotten. */
const rememberedMs = 60_000;

/** Removes the rows that keep other jobs of these ids out and that no worker will take, and reads what workers renew. */
const look = `
with freed as (
  delete from dedup d using job
  where d.queue = $1 and d.dedup_id = any ($2::text[]) and job.queue = $1 and job.id = d.job_id
    and job.state not in ('waiting', 'delayed', 'active')
  returning d.dedup_id
)
select dedup_id as id, null as job, null as value from freed
union all
select d.dedup_id, job.id, coalesce(job.locked_until_ms::text, '') from dedup d join job on job.id = d.job_id
where d.queue = $1 and d.dedup_id = any ($2::text[]) and job.queue = $1
  and job.state = 'active' and job.locked_until_ms is distinct from 0
union all
select null, null, value from meta where queue = $1 and field = 'stalled-check'`;

/** Ends these locks, and forgets this time of a check, if they are the same still. */
const end = `
with checks as (delete from meta where queue = $1 and field = 'stalled-check' and value = $4)
update job set locked_until_ms = 0 from unnest($2::text[], $3::text[]) still(id, value)
where job.queue = $1 and job.id = still.id and job.state = 'active'
  and coalesce(job.locked_until_ms::text, '') = still.value
returning job.id`;

/** One of: an id that is free, the lock of an id's job, the time of the latest check. */
interface Found {
  readonly id: string | null;
  readonly job: string | null;
  readonly value: string | null;
}

interface Remembered {
  readonly value: string | null;
  /** Since when it has this value, and when that was seen last, by the clock of this process that nobody sets. */
  readonly since: number;
  readonly seen: number;
}

/**
 * Makes `freeLost` of `Backend` for Postgres. Of a job and its state there is one row, so only set clocks and strange states make
 * one lost. Workers write the times of locks and checks by their own clocks, which may differ from each other and from that of
 * the database. So no time is compared with a clock: what nobody changes any more has lost its worker.
 */
export function createFreeLost(
  pool: Pick<pg.Pool, 'query'>,
): (queue: string, ids: readonly string[]) => Promise<string[]> {
  const remembered = new Map<string, Remembered>();

  /** Whether this value has been the same for long. */
  function isStill(key: string, value: string | null): boolean {
    const now = performance.now();
    const before = remembered.get(key);
    const since = before?.value === value ? before.since : now;
    remembered.set(key, { value, since, seen: now });
    return now - since >= stillMs;
  }

  function forgetOthers(): void {
    const from = performance.now() - rememberedMs;
    for (const [key, { seen }] of remembered) if (seen < from) remembered.delete(key);
  }

  return async (queue, ids) => {
    forgetOthers();
    const { rows } = await pool.query<Found>(look, [queue, ids]);
    const still = rows.filter(({ job, value }) => value !== null && isStill(`${queue} ${job ?? ''}`, value));
    const locks = still.filter(({ job }) => job !== null);
    const check = still.find(({ job }) => job === null)?.value ?? null;
    const ended = new Set<string | null>();
    if (still.length > 0) {
      const values = [queue, locks.map(({ job }) => job), locks.map(({ value }) => value), check];
      for (const { id } of (await pool.query<{ id: string }>(end, values)).rows) ended.add(id);
    }
    const freed = rows.filter(({ job, value }) => (job === null ? value === null : ended.has(job)));
    return freed.flatMap(({ id }) => id ?? []);
  };
}
