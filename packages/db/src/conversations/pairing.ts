import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { pairingHash } from '../inbound/pairings.ts';

export interface NewPairing {
  readonly tenantId: string;
  readonly accountId: string;
  /** The secret part of the link. Only its hash is stored. */
  readonly payload: string;
  readonly reference: string;
  readonly expiresInSeconds: number;
}

/** The most links of an account that are open: neither used nor expired. */
export const maxOpenPairings = 1_000;

/**
 * Stores a pairing link. Returns when it expires, by the database's clock. Null when the account has as many open links as
 * it can have; calls at the same moment may exceed that by a few.
 */
export async function createPairing(
  db: Db,
  { tenantId, accountId, payload, reference, expiresInSeconds }: NewPairing,
): Promise<Date | null> {
  const { rows } = await sql<{ expires_at: Date }>`
    insert into pairings (hash, tenant_id, account_id, reference, expires_at)
    select ${pairingHash(payload)}::bytea, ${tenantId}::uuid, ${accountId}::uuid, ${reference}::text,
      date_trunc('milliseconds', now()) + make_interval(secs => ${expiresInSeconds})
    where ${maxOpenPairings} > (
      select count(*) from (
        select from pairings where account_id = ${accountId}::uuid and contact is null and expires_at > now()
        limit ${maxOpenPairings}
      ) opened
    )
    returning expires_at`.execute(db);
  return rows[0]?.expires_at ?? null;
}
