import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { transact } from '../connection/transact.ts';
import { isOf, type UploadReader } from './read.ts';
import { isUsable } from './upload.ts';
import { stillWaits } from './use.ts';

/** How long a file is kept after the last message that used it has ended, in seconds. */
const usedSeconds = 3_600;
/** How many files a step of the sweep takes. */
const atOnce = 100;

/** Removes the contents of a file of the caller's. `in-use`: a message or a group waits for it. Null: there is no such file. */
export async function endUpload(
  db: Db,
  reader: UploadReader,
  id: string,
): Promise<'ended' | 'in-use' | null> {
  return db.transaction().execute(async (trx) => {
    // What is accepted at the same time holds this lock until its commit, so the next statement sees its use.
    const { rows } =
      await sql`select id from uploads where ${isOf(reader, id)} and ${isUsable} for update`.execute(trx);
    if (rows.length === 0) return null;
    const { rows: uses } = await sql`
      select from upload_uses use where use.upload_id = ${id}::uuid and ${stillWaits} limit 1`.execute(trx);
    if (uses.length > 0) return 'in-use';
    await empty(trx, [id]);
    return 'ended';
  });
}

/** What a sweep did. */
export interface SweptUploads {
  /** Files that nothing waits for any more, and that go in an hour. */
  readonly released: number;
  /** Files whose contents were removed. */
  readonly removed: number;
  /** Their contents. */
  readonly removedBytes: number;
}

/**
 * Gives files that nothing waits for any more an hour, and removes the contents of those whose time is over, and uploads that broke
 * off with their process. A bounded number; the next sweep continues. Forgets files that went `rememberDays` ago.
 */
export async function sweepUploads(db: Db, rememberDays: number): Promise<SweptUploads> {
  const released = await release(db);
  const removed = await removeExpired(db);
  await sql`
    delete from uploads where id in (
      select id from uploads where gone_at < now() - make_interval(days => ${rememberDays}::int) limit ${atOnce}
    )`.execute(db);
  return { released, ...removed };
}

async function release(db: Db): Promise<number> {
  return transact(db, async (trx, commit) => {
    const { rows } = await sql<{ id: string }>`
      select id from uploads u where expires_at is null and gone_at is null
        and not exists (select from upload_uses use where use.upload_id = u.id and ${stillWaits})
      order by id limit ${atOnce} for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    // Whoever held one of these locks has committed by now. So the next statement sees what they use.
    return commit(releaseThose(trx, ids));
  });
}

async function releaseThose(
  trx: Parameters<Parameters<typeof transact>[1]>[0],
  ids: string[],
): Promise<number> {
  const { rows } = await sql`
    with ended as (
      select id from unnest(${ids}::uuid[]) id
      where not exists (select from upload_uses use where use.upload_id = id and ${stillWaits})
    ),
    forgotten as (delete from upload_uses where upload_id in (select id from ended))
    update uploads set expires_at = now() + make_interval(secs => ${usedSeconds}::int)
    where id in (select id from ended) returning id`.execute(trx);
  return rows.length;
}

async function removeExpired(db: Db): Promise<Pick<SweptUploads, 'removed' | 'removedBytes'>> {
  return db.transaction().execute(async (trx) => {
    // A file that was used meanwhile has no `expires_at` any more, and Postgres looks again after it has waited for a lock.
    const { rows } = await sql<{ id: string; is_whole: boolean; bytes: number }>`
      select id, sha256 is not null as is_whole, bytes::float8 as bytes from uploads
      where expires_at < now() and gone_at is null order by expires_at limit ${atOnce} for update skip locked`.execute(
      trx,
    );
    await empty(
      trx,
      rows.filter((row) => row.is_whole).map(({ id }) => id),
    );
    const broken = rows.filter((row) => !row.is_whole).map(({ id }) => id);
    await sql`delete from uploads where id = any (${broken}::uuid[])`.execute(trx);
    return { removed: rows.length, removedBytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

async function empty(
  trx: Parameters<Parameters<typeof transact>[1]>[0],
  ids: readonly string[],
): Promise<void> {
  await sql`
    with chunks as (delete from upload_chunks where upload_id = any (${ids}::uuid[])),
    uses as (delete from upload_uses where upload_id = any (${ids}::uuid[]))
    update uploads set gone_at = now(), expires_at = null, filename = null where id = any (${ids}::uuid[])`.execute(
    trx,
  );
}
