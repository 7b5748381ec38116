import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';

/**
 * Lets one transaction at a time count or rearrange what a tenant has (webhooks, keys, the default account of a
 * channel). Taken before any other lock; it does not hinder rows that merely refer to the tenant.
 */
export async function lockTenant(trx: Trx, tenantId: string): Promise<void> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(trx);
}
