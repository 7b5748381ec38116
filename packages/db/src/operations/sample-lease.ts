import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { SampleFigures } from './figures.ts';

/**
 * Takes or renews the lease to sample: for the process that holds it, or for another one if the holder has been
 * silent for `silentMs`. Returns whether the process `holder` holds it now. The figures of the holder before stay until new ones are
 * stored.
 */
export async function leaseSamples(db: Db, holder: string, silentMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into samples as s (taken_by, figures) values (${holder}, '{}')
    on conflict (only_row) do update set taken_by = excluded.taken_by, taken_at = now()
      where s.taken_by = excluded.taken_by
        or s.taken_at < now() - make_interval(secs => ${silentMs}::float8 / 1000)
    returning taken_by`.execute(db);
  return rows.length > 0;
}

/** Stores what the holder sampled. Returns false, and stores nothing, if the lease has passed to another process. */
export async function storeSample(db: Db, holder: string, figures: SampleFigures): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update samples set figures = ${JSON.stringify(figures)}::jsonb, taken_at = now()
    where taken_by = ${holder}`.execute(db);
  return numAffectedRows > 0n;
}

/** Gives the lease up, so that another process may sample at once. The figures stay. */
export async function releaseSamples(db: Db, holder: string): Promise<void> {
  await sql`update samples set taken_at = '-infinity' where taken_by = ${holder}`.execute(db);
}

/** The newest sample, or null before the first one. */
export interface StoredSample {
  /** Of the process that sampled. */
  readonly takenBy: string;
  /** How old the figures are, by the database's clock. */
  readonly ageMs: number;
  readonly figures: SampleFigures;
}

export async function readSample(db: Db): Promise<StoredSample | null> {
  const { rows } = await sql<{ taken_by: string; age_ms: number; figures: SampleFigures }>`
    select taken_by, figures,
      extract(epoch from now() - (figures ->> 'takenAt')::timestamptz)::float8 * 1000 as age_ms
    from samples where figures ? 'takenAt'`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { takenBy: row.taken_by, ageMs: row.age_ms, figures: row.figures };
}
