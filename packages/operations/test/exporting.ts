import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import type { Observed } from './observed.ts';

/** What only the process exports that holds the lease of the samples. */
export const sampled =
  /^notify_(sample_age_seconds|due|due_oldest_seconds|waiting|accounts|accounts_paused|webhooks|receipts_waiting|linked_device_accounts|processes|migrations_pending|sends_held_seconds|partition_seconds_ahead|partition_default_rows)[ {]/;

/** Those of the workers that export samples. */
export async function exporters(...workers: readonly Observed[]): Promise<Observed[]> {
  const scrapes = await Promise.all(workers.map((worker) => worker.scrape(sampled)));
  return workers.filter((_, index) => Object.keys(scrapes[index]!).length > 0);
}

/** Lets the database write down every hand-over of the lease. */
export async function recordHandovers(db: Db): Promise<void> {
  await sql`create table handovers (silent_ms float8)`.execute(db);
  await sql`
    create function record_handover() returns trigger language plpgsql as $$ begin
      insert into handovers values (
        case when old.taken_at > '-infinity' then extract(epoch from new.taken_at - old.taken_at) * 1000 end);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger record_handover after update on samples for each row
    when (old.taken_by <> new.taken_by) execute function record_handover()`.execute(db);
}

/** For each hand-over, how long the holder had been silent, in ms by the database's clock; null if it had given the lease up. */
export async function handovers(db: Db): Promise<(number | null)[]> {
  const { rows } = await sql<{ silent_ms: number | null }>`select silent_ms from handovers`.execute(db);
  return rows.map(({ silent_ms }) => silent_ms);
}

/** The process id of the lease's holder. */
export async function holderOf(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`
    select p.pid from samples s join processes p on p.id = s.taken_by`.execute(db);
  return rows[0]?.pid;
}

/**
 * Resolves with the worker that alone has exported in so many looks in a row, 200 ms apart. Rejects if one exports that does
 * not hold the lease. On a machine that is slow, the lease may pass on meanwhile: then the looks are counted anew.
 */
export async function steadyExporter(
  db: Db,
  looks: number,
  ...workers: readonly Observed[]
): Promise<Observed> {
  let steady: Observed | undefined;
  for (let inRow = 0; inRow < looks;) {
    const before = await handovers(db);
    const holder = await holderOf(db);
    const exporting = await exporters(...workers);
    if ((await handovers(db)).length === before.length)
      expect(exporting.filter(({ process: { pid } }) => pid !== holder)).toHaveLength(0);
    inRow = exporting.length !== 1 ? 0 : exporting[0] === steady ? inRow + 1 : 1;
    steady = exporting[0];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return steady!;
}
