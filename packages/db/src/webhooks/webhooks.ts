import { afterDisable, afterEnable, afterNewUrl, type EventName, type Lane } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';
import { changeHealth, lockHealth } from './health.ts';

/** A webhook without its secrets. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly description: string | null;
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly failureCount: number;
  readonly lastTriggeredAt: Date | null;
  readonly createdAt: Date;
  readonly lane: Lane;
}

export interface NewWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly description?: string | null;
  /** Sealed. */
  readonly secret: string;
}

const shown = [
  'id',
  'url',
  'events',
  'description',
  'is_active',
  'disabled_reason',
  'failure_count',
  'last_triggered_at',
  'created_at',
  'lane',
] as const;

/** The webhooks of a tenant, oldest first. */
export async function listWebhooks(db: Db, tenantId: string): Promise<WebhookRow[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(shown)
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
  return rows.map(toWebhook);
}

/** One webhook, or null when the tenant has none of that id. */
export async function findWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  const row = await db
    .selectFrom('webhooks')
    .select(shown)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toWebhook(row);
}

/** Stores a webhook, or answers null when the tenant has `limit` already, however many calls race. */
export function createWebhook(db: Db, webhook: NewWebhook, limit: number): Promise<WebhookRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, webhook.tenantId);
    const { count } = await trx
      .selectFrom('webhooks')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('tenant_id', '=', webhook.tenantId)
      .executeTakeFirstOrThrow();
    if (count >= limit) return null;
    const { id, tenantId, url, events, description = null, secret } = webhook;
    const row = await trx
      .insertInto('webhooks')
      // Nobody knows yet whether it answers: it starts with one post at a time.
      .values({ id, tenant_id: tenantId, url, events: [...events], description, secret, at_once: 1 })
      .returning(shown)
      .executeTakeFirstOrThrow();
    return toWebhook(row);
  });
}

/**
 * Removes a webhook and what waits for it; false when the tenant has none of that id. What accept adds in the same
 * moment finds no webhook when its turn comes, and goes then.
 */
export function deleteWebhook(db: Db, tenantId: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if ((await findWebhook(trx, tenantId, id)) === null) return false;
    await trx.deleteFrom('delivery_due').where('id', 'in', waiting(trx, id)).execute();
    const result = await trx
      .deleteFrom('webhooks')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  });
}

/**
 * Switches a webhook on: its failures are forgotten, and attempts begun before count for nothing any more. Null when
 * the tenant has none of that id.
 */
export function enableWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  return db.transaction().execute(async (trx) => {
    if ((await findWebhook(trx, tenantId, id)) === null) return null;
    await changeHealth(trx, id, afterEnable);
    return findWebhook(trx, tenantId, id);
  });
}

/** Switches a webhook off and skips what waits for it. Null when the tenant has none of that id. */
export async function disableWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  const webhook = await db.transaction().execute(async (trx) => {
    if ((await findWebhook(trx, tenantId, id)) === null) return null;
    await skipWaitingDeliveries(trx, id);
    await changeHealth(trx, id, afterDisable);
    return findWebhook(trx, tenantId, id);
  });
  // Messages accepted meanwhile still saw the webhook active.
  if (webhook !== null) await skipWaitingDeliveries(db, id);
  return webhook;
}

/** What its owner may change; what is left out stays. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly EventName[] | undefined;
  readonly description?: string | null | undefined;
}

/**
 * Changes a webhook. Another URL is another endpoint: what the former one did is forgotten, and attempts begun before
 * count for nothing. Null when the tenant has none of that id.
 */
export function changeWebhook(
  db: Db,
  tenantId: string,
  id: string,
  { url, events, description }: WebhookChange,
): Promise<WebhookRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockHealth(trx, [id]);
    const before = await findWebhook(trx, tenantId, id);
    if (before === null) return null;
    const row = await trx
      .updateTable('webhooks')
      .set({
        url: url ?? before.url,
        events: [...(events ?? before.events)],
        description: description === undefined ? before.description : description,
      })
      .where('id', '=', id)
      .returning(shown)
      .executeTakeFirstOrThrow();
    if (row.url === before.url) return toWebhook(row);
    await changeHealth(trx, id, afterNewUrl);
    return findWebhook(trx, tenantId, id);
  });
}

const skipBatch = 5_000;

/**
 * Moves what waits for a webhook to `deliveries`, as skipped. Deliveries in flight stay with the worker that has them;
 * so do those another transaction holds, which is why this waits for nobody.
 */
export async function skipWaitingDeliveries(db: Db, webhookId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ moved: number }>`
      with waiting as (
        select id from delivery_due
        where webhook_id = ${webhookId} and coalesce(claimed_until < now(), true)
        order by id limit ${skipBatch} for update skip locked
      ),
      gone as (
        delete from delivery_due d using waiting w where d.id = w.id
        returning d.id, d.webhook_id, d.tenant_id, d.event_id, d.attempts, d.created_at
      ),
      moved as (
        insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at)
        select id, webhook_id, tenant_id, event_id, 'skipped', attempts, created_at, now() from gone
        on conflict (id) do nothing
      )
      select count(*)::int as moved from gone`.execute(db);
    if ((rows[0]?.moved ?? 0) < skipBatch) return;
  }
}

function waiting(trx: Trx, webhookId: string) {
  return trx
    .selectFrom('delivery_due')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .forUpdate()
    .skipLocked();
}

function toWebhook(row: Pick<Selectable<Database['webhooks']>, (typeof shown)[number]>): WebhookRow {
  return {
    id: row.id,
    url: row.url,
    events: row.events as EventName[],
    description: row.description,
    isActive: row.is_active,
    disabledReason: row.disabled_reason,
    failureCount: row.failure_count,
    lastTriggeredAt: row.last_triggered_at,
    createdAt: row.created_at,
    lane: row.lane,
  };
}
