import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, unnestRows, uuid } from '../connection/rows.ts';
import { isLive } from './is-live.ts';

/** What a request was allowed by: a session or a service token of a tenant. */
export interface Bearer {
  readonly tenantId: string;
  readonly bearerId: string;
  readonly isToken: boolean;
}

/** Whether a bearer has not ended and its tenant is not blocked, in SQL. The arguments are columns of the statement. */
export function isUsableBearer(
  tenantId: RawBuilder<unknown>,
  bearerId: RawBuilder<unknown>,
  isToken: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(exists (
      select from tenants where id = ${tenantId} and blocked_at is null
    ) and case when ${isToken} then exists (
      select from service_tokens k where k.id = ${bearerId} and k.tenant_id = ${tenantId} and ${isLive('k')}
    ) else exists (
      select from sessions s where s.id = ${bearerId} and s.tenant_id = ${tenantId} and ${isLive('s')}
    ) end)`;
}

/**
 * Those of the bearers that have not ended and whose tenants are not blocked, by their ids. Uses one statement for any
 * number of them.
 */
export async function findUsableBearers(db: Db, bearers: readonly Bearer[]): Promise<Set<string>> {
  const asked = unnestRows('a', bearers, {
    tenant_id: uuid((one) => one.tenantId),
    id: uuid((one) => one.bearerId),
    is_token: bool((one) => one.isToken),
  });
  const usable = isUsableBearer(sql`a.tenant_id`, sql`a.id`, sql`a.is_token`);
  const { rows } = await sql<{ id: string }>`select a.id from ${asked} where ${usable}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
