import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { metBy, type Starter } from './met-by.ts';

/**
 * Ends what is pending of those that a start meets, so that it can begin. Returns the groups of their messages. A check that holds a
 * row decides first.
 */
export async function endPending(trx: Statements, start: Starter): Promise<string[]> {
  const { rows } = await sql<{ groupId: string }>`
    update verifications set
      status = case when expires_at <= now() then 'expired' else 'canceled' end,
      ended_at = least(expires_at, now()), sealed_code = null, code_hash = null, code_salt = null
    where ${metBy(start)} and status = 'pending'
    returning group_id as "groupId"`.execute(trx);
  return rows.map(({ groupId }) => groupId);
}
