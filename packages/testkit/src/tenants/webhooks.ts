import { type Channel, eventNames } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Database } from '@notify/db/schema';
import { disableWebhook, enableWebhook, type Packing } from '@notify/db/webhooks';
import { type Selectable, sql } from 'kysely';

/** Inserts an active webhook directly into the database. `secret` is stored unchanged (sealed or not). */
export async function makeWebhook(
  db: Db,
  tenantId: string,
  options: {
    readonly id?: string;
    readonly url?: string;
    readonly secret?: string;
    readonly events?: readonly string[];
    readonly accountIds?: readonly string[];
    readonly channels?: readonly Channel[];
    readonly tags?: readonly string[];
    readonly packing?: Packing;
  } = {},
): Promise<string> {
  const { id } = await db
    .insertInto('webhooks')
    .values({
      id: options.id ?? sql<string>`uuidv7()`,
      tenant_id: tenantId,
      url: options.url ?? 'https://example.com/hook',
      events: [...(options.events ?? eventNames)],
      secret: options.secret ?? 'unsealed',
      account_ids: options.accountIds === undefined ? null : [...options.accountIds],
      channels: options.channels === undefined ? null : [...options.channels],
      tags: options.tags === undefined ? null : [...options.tags],
      pack_max_events: options.packing?.maxEvents ?? null,
      pack_max_wait_ms: options.packing?.maxWaitMs ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The row of a webhook. */
export function webhookRow(db: Db, id: string): Promise<Selectable<Database['webhooks']>> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Inserts `count` events, each with a delivery to the webhook that is due now. Returns the deliveries' ids in order.
 */
export async function addDeliveries(
  db: Db,
  webhookId: string,
  count: number,
  body: (index: number) => string = (index) => JSON.stringify({ event: 'message.sent', index }),
): Promise<string[]> {
  const bodies = Array.from({ length: count }, (_, index) => body(index));
  const { rows } = await sql<{ id: string }>`
    with made as (
      select uuidv7() as event_id, uuidv7() as id, b.body, b.place, w.tenant_id
      from unnest(${bodies}::text[]) with ordinality as b(body, place)
      cross join (select tenant_id from webhooks where id = ${webhookId}) w
    ),
    told as (
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
      select event_id, tenant_id, null, 'message.sent', null, body, now() from made
    ),
    due as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select id, ${webhookId}, tenant_id, event_id, now(), now() from made
    )
    select id from made order by place`.execute(db);
  return rows.map((row) => row.id);
}

/** Disables and enables a webhook, as its owner would. Attempts begun before then no longer count. */
export async function toggleWebhook(db: Db, tenantId: string, id: string): Promise<void> {
  await disableWebhook(db, tenantId, id);
  await enableWebhook(db, tenantId, id);
}
