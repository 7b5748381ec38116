import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';

/**
 * Lets one transaction at a time count or rearrange a tenant's webhooks, keys or default accounts. Acquire it before
 * any other lock. Rows that merely refer to the tenant can still be written.
 */
export async function lockTenant(trx: Trx, tenantId: string): Promise<void> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(trx);
}
