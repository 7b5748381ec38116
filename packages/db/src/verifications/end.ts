import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import type { NewVerification } from './new-verification.ts';

/**
 * Ends the pending verification of a recipient, so that a new one can begin. Returns the group of its messages; null if there was
 * none. A check that holds the row decides first.
 */
export async function endPending(
  trx: Statements,
  { tenantId, recipient }: NewVerification,
): Promise<string | null> {
  const { rows } = await sql<{ groupId: string }>`
    update verifications set
      status = case when expires_at <= now() then 'expired' else 'canceled' end,
      ended_at = least(expires_at, now()), sealed_code = null, code_hash = null, code_salt = null
    where tenant_id = ${tenantId}::uuid and recipient = ${recipient} and status = 'pending'
    returning group_id as "groupId"`.execute(trx);
  return rows[0]?.groupId ?? null;
}
