import { type Lane, parseId } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { isLive } from './is-live.ts';
import { lockTenant } from './tenant-lock.ts';
import { findTenant, findTenantByEmail, type TenantRow } from './tenants.ts';

// The operator's actions on any tenant. Code that serves a tenant's request must not call them.

/** Every tenant, oldest first. */
export async function listTenants(db: Db): Promise<TenantRow[]> {
  return db.selectFrom('tenants').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** The tenant with this id (with or without its prefix) or email address. */
export async function findTenantBy(db: Db, idOrEmail: string): Promise<TenantRow | null> {
  const id = parseId('ten', idOrEmail);
  return id === null ? findTenantByEmail(db, idOrEmail) : findTenant(db, id);
}

/** The number of rows that a tenant has of each kind. */
export interface Holdings {
  readonly apiKeys: number;
  readonly serviceTokens: number;
  readonly channelAccounts: number;
  readonly webhooks: number;
  readonly waitingMessages: number;
  /** Messages that are due in more than about a minute. They count as waiting, too. */
  readonly scheduledMessages: number;
  readonly waitingDeliveries: number;
}

/** Counts the rows of a tenant. The counts are exact, so a large backlog takes a moment. */
export async function holdingsOf(db: Db, tenantId: string): Promise<Holdings> {
  const { rows } = await sql<Holdings>`
    select
      (select count(*)::int from api_keys k where tenant_id = ${tenantId} and ${isLive('k')}) as "apiKeys",
      (select count(*)::int from service_tokens s where tenant_id = ${tenantId} and ${isLive('s')}) as "serviceTokens",
      (select count(*)::int from channel_accounts where tenant_id = ${tenantId} and deleted_at is null)
        as "channelAccounts",
      (select count(*)::int from webhooks where tenant_id = ${tenantId}) as webhooks,
      (select count(*)::int from dispatch_due join channel_accounts a on a.id = account_id
        where a.tenant_id = ${tenantId}) + (
        select count(*)::int from scheduled_messages join channel_accounts a on a.id = account_id
        where a.tenant_id = ${tenantId}) as "waitingMessages",
      (select count(*)::int from scheduled_messages join channel_accounts a on a.id = account_id
        where a.tenant_id = ${tenantId}) as "scheduledMessages",
      (select count(*)::int from delivery_due join webhooks w on w.id = webhook_id
        where w.tenant_id = ${tenantId}) as "waitingDeliveries"`.execute(db);
  const [holdings] = rows;
  if (holdings === undefined) throw new Error('counting gave no row');
  return holdings;
}

/** Gives the tenant a plan. Any plan except `trial` lifts the restrictions of an ended trial. */
export async function setPlan(trx: Db | Trx, tenantId: string, plan: string): Promise<void> {
  await trx.updateTable('tenants').set({ plan }).where('id', '=', tenantId).execute();
}

/**
 * Blocks a tenant: from now on its sessions and keys are refused, and claims skip its channel accounts. Its messages
 * wait until they expire. Blocking twice changes nothing.
 */
export async function blockTenant(db: Db, tenantId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    await trx
      .updateTable('tenants')
      .set({ blocked_at: sql<Date>`coalesce(blocked_at, now())` })
      .where('id', '=', tenantId)
      .execute();
    await trx
      .updateTable('channel_accounts')
      .set({ blocked: true })
      .where('tenant_id', '=', tenantId)
      .execute();
  });
}

/** Lifts a block. Returns the tenant's channel accounts, which the caller wakes. */
export async function unblockTenant(
  db: Db,
  tenantId: string,
): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    await trx.updateTable('tenants').set({ blocked_at: null }).where('id', '=', tenantId).execute();
    return trx
      .updateTable('channel_accounts')
      .set({ blocked: false })
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .returning(['id', 'lane'])
      .execute();
  });
}
