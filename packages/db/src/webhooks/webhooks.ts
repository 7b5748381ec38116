import { isDeepStrictEqual } from 'node:util';
import {
  afterDisable,
  afterEnable,
  afterNewUrl,
  type Channel,
  type Lane,
  type SubscribableEvent,
} from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';
import { changeHealth, lockHealth } from './health.ts';

/** Which events of those it is subscribed to a webhook wants: those that fit all filters. Null: no filter. */
export interface WebhookFilters {
  readonly accountIds: readonly string[] | null;
  readonly channels: readonly Channel[] | null;
  readonly tags: readonly string[] | null;
}

/** How many events a webhook takes in a post, and how long they wait for each other. */
export interface Packing {
  readonly maxEvents: number;
  readonly maxWaitMs: number;
}

/** A webhook without its secrets. */
export interface WebhookRow extends WebhookFilters {
  readonly id: string;
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  /** Null: a post for each event. */
  readonly packing: Packing | null;
  readonly description: string | null;
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly failureCount: number;
  readonly lastTriggeredAt: Date | null;
  readonly createdAt: Date;
  readonly lane: Lane;
}

export interface NewWebhook extends Partial<WebhookFilters> {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  readonly packing?: Packing | null;
  readonly description?: string | null;
  /** Sealed. */
  readonly secret: string;
}

const shown = [
  'id',
  'url',
  'events',
  'account_ids',
  'channels',
  'tags',
  'pack_max_events',
  'pack_max_wait_ms',
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

/** One webhook, or null when the tenant has no webhook of that id. */
export async function findWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  const row = await db
    .selectFrom('webhooks')
    .select(shown)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toWebhook(row);
}

/** Stores a webhook. Null when the tenant already has `limit` webhooks; concurrent calls keep to the limit too. */
export function createWebhook(db: Db, webhook: NewWebhook, limit: number): Promise<WebhookRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, webhook.tenantId);
    const { count } = await trx
      .selectFrom('webhooks')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('tenant_id', '=', webhook.tenantId)
      .executeTakeFirstOrThrow();
    if (count >= limit) return null;
    const { id, tenantId, url, events, packing = null, description = null, secret, ...filters } = webhook;
    const row = await trx
      .insertInto('webhooks')
      // A new webhook may be unable to answer, so it starts with one post at a time.
      .values({
        id,
        tenant_id: tenantId,
        url,
        events: [...events],
        ...toColumns({ accountIds: null, channels: null, tags: null, ...filters }),
        ...packingColumns(packing),
        description,
        secret,
        at_once: 1,
      })
      .returning(shown)
      .executeTakeFirstOrThrow();
    return toWebhook(row);
  });
}

/**
 * Removes a webhook and its waiting deliveries. False when the tenant has no webhook of that id. A delivery made by a
 * concurrent accept finds no webhook in its turn and is removed then.
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
 * Enables a webhook and resets its failures. Attempts begun earlier no longer count. Null when the tenant has no
 * webhook of that id.
 */
export function enableWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  return db.transaction().execute(async (trx) => {
    if ((await findWebhook(trx, tenantId, id)) === null) return null;
    await changeHealth(trx, id, afterEnable);
    return findWebhook(trx, tenantId, id);
  });
}

/** Disables a webhook and skips its waiting deliveries. Null when the tenant has no webhook of that id. */
export async function disableWebhook(db: Db, tenantId: string, id: string): Promise<WebhookRow | null> {
  const webhook = await db.transaction().execute(async (trx) => {
    if ((await findWebhook(trx, tenantId, id)) === null) return null;
    await skipWaitingDeliveries(trx, id);
    await changeHealth(trx, id, afterDisable);
    return findWebhook(trx, tenantId, id);
  });
  // Messages accepted concurrently still saw the webhook as active.
  if (webhook !== null) await skipWaitingDeliveries(db, id);
  return webhook;
}

/** The fields that the owner may change. An undefined field stays as it is. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly SubscribableEvent[] | undefined;
  readonly accountIds?: WebhookFilters['accountIds'] | undefined;
  readonly channels?: WebhookFilters['channels'] | undefined;
  readonly tags?: WebhookFilters['tags'] | undefined;
  readonly packing?: Packing | null | undefined;
  readonly description?: string | null | undefined;
}

/**
 * Changes a webhook. New events and filters count for events from then on; what waits is posted. A new URL is a new endpoint: the failures of the old one are reset, and attempts begun earlier do
 * not count. After a new URL or another packing, what waits is packed anew. Null when the tenant has no webhook of that id.
 */
export function changeWebhook(
  db: Db,
  tenantId: string,
  id: string,
  { url, events, accountIds, channels, tags, packing, description }: WebhookChange,
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
        ...toColumns({
          accountIds: accountIds === undefined ? before.accountIds : accountIds,
          channels: channels === undefined ? before.channels : channels,
          tags: tags === undefined ? before.tags : tags,
        }),
        ...packingColumns(packing === undefined ? before.packing : packing),
        description: description === undefined ? before.description : description,
      })
      .where('id', '=', id)
      .returning(shown)
      .executeTakeFirstOrThrow();
    const after = toWebhook(row);
    if (after.url !== before.url || !isDeepStrictEqual(after.packing, before.packing)) await unpack(trx, id);
    if (row.url === before.url) return after;
    await changeHealth(trx, id, afterNewUrl);
    return findWebhook(trx, tenantId, id);
  });
}

/** Lets the next claims pack anew what waits. What is in flight keeps its lease, and is packed anew if it fails. */
async function unpack(trx: Trx, webhookId: string): Promise<void> {
  await sql`
    with packed as (
      select id from delivery_due where webhook_id = ${webhookId} and pack_id is not null order by id for update
    )
    update delivery_due set pack_id = null, leads_pack = null where id = any (array(select id from packed))`.execute(
    trx,
  );
}

const skipBatch = 5_000;

/**
 * Moves the deliveries that wait for a webhook to `deliveries`, as skipped. Deliveries in flight stay with their
 * worker. So do rows that another transaction holds, so this waits for no lock.
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
        returning d.id, d.webhook_id, d.tenant_id, d.event_id, d.attempts, d.created_at, d.pack_id, d.leads_pack
      ),
      moved as (
        insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at, pack_id, leads_pack)
        select id, webhook_id, tenant_id, event_id, 'skipped', attempts, created_at, now(), pack_id, leads_pack from gone
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

function toColumns({ accountIds, channels, tags }: WebhookFilters) {
  return {
    account_ids: accountIds && [...accountIds],
    channels: channels && [...channels],
    tags: tags && [...tags],
  };
}

function packingColumns(packing: Packing | null) {
  return { pack_max_events: packing?.maxEvents ?? null, pack_max_wait_ms: packing?.maxWaitMs ?? null };
}

function toWebhook(row: Pick<Selectable<Database['webhooks']>, (typeof shown)[number]>): WebhookRow {
  return {
    id: row.id,
    url: row.url,
    events: row.events as SubscribableEvent[],
    accountIds: row.account_ids,
    channels: row.channels,
    tags: row.tags,
    packing:
      row.pack_max_events === null
        ? null
        : { maxEvents: row.pack_max_events, maxWaitMs: row.pack_max_wait_ms ?? 0 },
    description: row.description,
    isActive: row.is_active,
    disabledReason: row.disabled_reason,
    failureCount: row.failure_count,
    lastTriggeredAt: row.last_triggered_at,
    createdAt: row.created_at,
    lane: row.lane,
  };
}
