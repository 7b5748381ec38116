import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/**
 * Ends verifications that have expired, and removes the codes that no route needs any more, up to `limit` of each. Returns how many
 * were changed. Waits for no lock: who holds one of them is ending it.
 */
export async function endExpired(db: Db, limit: number): Promise<number> {
  const ended = await sql`
    update verifications set status = 'expired', ended_at = expires_at, sealed_code = null, code_hash = null,
      code_salt = null
    where id = any (array(
      select id from verifications where status = 'pending' and expires_at <= now()
      order by expires_at limit ${limit} for update skip locked
    ))`.execute(db);
  const unneeded = await sql`
    update verifications set sealed_code = null
    where id = any (array(
      select v.id from verifications v join message_groups g on g.id = v.group_id
      where v.sealed_code is not null and g.ended_at is not null limit ${limit} for update of v skip locked
    ))`.execute(db);
  return Number(ended.numAffectedRows ?? 0) + Number(unneeded.numAffectedRows ?? 0);
}

/** How many pending verifications need a master key other than this one for their checks, and until when. */
export async function pendingUnderOtherKeys(
  db: Db,
  keyVersion: number,
): Promise<{ readonly count: number; readonly until: Date | null }> {
  const { rows } = await sql<{ count: number; until: Date | null }>`
    select count(*)::int as count, max(expires_at) as until from verifications
    where status = 'pending' and expires_at > now() and key_version <> ${keyVersion}::int`.execute(db);
  return rows[0]!;
}
