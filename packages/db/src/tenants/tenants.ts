import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';

export type TenantRow = Selectable<Database['tenants']>;

export interface NewTenant {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly trialDays: number;
}

/** Makes a tenant whose trial starts now. Null when the email address is taken, compared without case. */
export async function createTenant(trx: Trx, tenant: NewTenant): Promise<TenantRow | null> {
  const row = await trx
    .insertInto('tenants')
    .values({
      name: tenant.name,
      email: tenant.email,
      password_hash: tenant.passwordHash,
      trial_ends_at: sql<Date>`now() + make_interval(days => ${tenant.trialDays}::int)`,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The tenant with this email address, compared without case. */
export async function findTenantByEmail(db: Db, email: string): Promise<TenantRow | null> {
  const row = await db
    .selectFrom('tenants')
    .selectAll()
    .where('email_key', '=', sql<string>`lower(${email})`)
    .executeTakeFirst();
  return row ?? null;
}

/** Gives the tenant another name. */
export async function renameTenant(db: Db, tenantId: string, name: string): Promise<void> {
  await db.updateTable('tenants').set({ name }).where('id', '=', tenantId).execute();
}

/** The tenant, or null when it was deleted. */
export async function findTenant(db: Db, tenantId: string): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('id', '=', tenantId).executeTakeFirst()) ?? null;
}

/**
 * Deletes a tenant with its sessions, keys, accounts and webhooks, and drops its waiting messages and deliveries, in
 * one commit. `purgeTenants` later removes its messages, events and deliveries, and the rows of a send that was being
 * committed at this moment.
 */
export async function deleteTenant(db: Db, tenantId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('tenant_purges')
      .values({ tenant_id: tenantId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // In this order, because rows move from the first to the second.
    for (const table of ['scheduled_messages', 'dispatch_due'] as const)
      await trx
        .deleteFrom(table)
        .where('account_id', 'in', (accounts) =>
          accounts.selectFrom('channel_accounts').select('id').where('tenant_id', '=', tenantId),
        )
        .execute();
    await trx.deleteFrom('group_due').where('tenant_id', '=', tenantId).execute();
    await trx.deleteFrom('delivery_due').where('tenant_id', '=', tenantId).execute();
    await trx.deleteFrom('tenants').where('id', '=', tenantId).execute();
  });
}
