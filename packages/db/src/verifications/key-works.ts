import { type RawBuilder, sql } from 'kysely';
import { isLive } from '../tenants/is-live.ts';

/** The key of a caller. */
export interface CallingKey {
  readonly tenantId: string;
  /** Null if a session or a service token calls. It was checked with the request. */
  readonly keyId: string | null;
}

/**
 * Whether the key still works and its tenant is not blocked, in SQL. What the caller knows of its key may be some seconds old, so each
 * statement that answers it looks again.
 */
export function keyWorks({ tenantId, keyId }: CallingKey): RawBuilder<boolean> {
  if (keyId === null) return sql<boolean>`true`;
  return sql<boolean>`exists (
      select from api_keys ak join tenants t on t.id = ak.tenant_id
      where ak.id = ${keyId}::uuid and ak.tenant_id = ${tenantId}::uuid and ${isLive('ak')} and t.blocked_at is null
    )`;
}
