import { type RawBuilder, sql } from 'kysely';
import type { NewVerification } from './new-verification.ts';

/** What decides whom a start meets. */
export type Starter = Pick<NewVerification, 'tenantId' | 'recipient' | 'sandbox' | 'keyAccountIds'>;

/**
 * The verifications that a start repeats, cancels and counts, in SQL: those of the same recipient, of the sandbox if it is and
 * real if it is, and only from accounts that its key may use. So nothing that everybody knows, as the code of the sandbox, counts
 * for a real one, and keys for different accounts never touch what is the other's.
 */
export function metBy({ tenantId, recipient, sandbox, keyAccountIds }: Starter): RawBuilder<boolean> {
  return sql<boolean>`(tenant_id = ${tenantId}::uuid and recipient = ${recipient} and sandbox = ${sandbox}::bool
      and ${within(keyAccountIds)})`;
}

/** Whether a key for these accounts may use all accounts of a verification, in SQL. Null: a key for all. */
export function within(keyAccountIds: readonly string[] | null): RawBuilder<boolean> {
  return keyAccountIds === null ? sql<boolean>`true` : sql<boolean>`account_ids <@ ${keyAccountIds}::uuid[]`;
}
