import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { isKnown } from '../messages/accept-statement.ts';
import { keyWorks } from './key-works.ts';
import { within } from './met-by.ts';
import type { NewVerification, RequestKey, Started } from './new-verification.ts';

/** Who repeats a start. */
export type Repeater = Pick<NewVerification, 'tenantId' | 'keyId' | 'keyAccountIds' | 'sandbox'>;

/** What a known key answers. `other`: it was used for another request. */
export type KnownKey = { readonly kind: 'same'; readonly verification: Started } | { readonly kind: 'other' };

/**
 * What the key of a start answers; null if it is unknown, or if there is none. A key stands for the id of its verification, where
 * the key of a send has the id of its message. A key that is not for all accounts of the verification does not repeat it, and a start
 * of the sandbox never answers for a real one.
 */
export async function findKey(
  trx: Statements,
  { tenantId, keyId, keyAccountIds, sandbox }: Repeater,
  { key, requestHash }: RequestKey,
  idempotencyDays: number,
): Promise<KnownKey | null> {
  const { rows } = await sql<{ same: boolean; id: string | null; expires_at: Date }>`
    select k.request_hash = ${`\\x${requestHash}`}::bytea
        and v.sandbox = ${sandbox}::bool and ${within(keyAccountIds)}
        and ${keyWorks({ tenantId, keyId })} as same,
      v.id, v.expires_at
    from (
      select request_hash, message_id from idempotency_keys
      where tenant_id = ${tenantId}::uuid and key = ${key} and ${isKnown(idempotencyDays)} for key share
    ) k left join verifications v on v.id = k.message_id and v.tenant_id = ${tenantId}::uuid`.execute(trx);
  const [known] = rows;
  if (known === undefined) return null;
  const { same, id, expires_at: expiresAt } = known;
  return same && id !== null ? { kind: 'same', verification: { id, expiresAt, sandbox } } : { kind: 'other' };
}

/** Ties the key to a verification. False if another commit has taken it meanwhile. */
export async function takeKey(
  trx: Statements,
  { tenantId, accountIds }: NewVerification,
  { key, requestHash }: RequestKey,
  verificationId: string,
  idempotencyDays: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as k (tenant_id, key, request_hash, message_id, account_id)
    values (${tenantId}::uuid, ${key}, ${`\\x${requestHash}`}::bytea, ${verificationId}::uuid, ${accountIds[0]}::uuid)
    on conflict (tenant_id, key) do update set request_hash = excluded.request_hash, message_id = excluded.message_id,
      account_id = excluded.account_id, created_at = now()
      where k.created_at <= now() - make_interval(days => ${idempotencyDays}::int) and not message_waits(k.message_id)
    returning 1`.execute(trx);
  return rows.length > 0;
}
