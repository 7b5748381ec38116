import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import type { EventDelivery } from '../messages/events.ts';
import { dueAt } from '../webhooks/packing.ts';
import { type DeliveryFacts, mostCounted, type WebhookFacts } from './facts.ts';

interface WaitingRow {
  id: string;
  due_at: Date;
  claimed_by: string | null;
  claimed_until: Date | null;
  ahead: number;
}

/** What the deliveries that have not arrived wait for. Leaves out those that were delivered. */
export async function readDeliveryFacts(
  trx: Trx,
  deliveries: readonly EventDelivery[],
): Promise<readonly DeliveryFacts[]> {
  const open = deliveries.filter(({ state }) => state !== 'delivered');
  if (open.length === 0) return [];
  const webhooks = await readWebhooks(trx, [...new Set(open.map(({ webhookId }) => webhookId))]);
  const waiting = await readWaiting(
    trx,
    open.filter(({ state }) => state === 'waiting').map(({ id }) => id),
  );
  return open.map((delivery) => ({
    delivery,
    webhook: webhooks.get(delivery.webhookId) ?? null,
    waiting: toWaiting(waiting.get(delivery.id)),
  }));
}

function toWaiting(row: WaitingRow | undefined): DeliveryFacts['waiting'] {
  if (row === undefined) return null;
  const { due_at: dueAt, claimed_by: holder, claimed_until: until, ahead } = row;
  return { dueAt, ahead, lease: holder === null || until === null ? null : { holder, until } };
}

async function readWebhooks(trx: Trx, ids: readonly string[]): Promise<Map<string, WebhookFacts>> {
  const { rows } = await sql<WebhookFacts & { id: string }>`
    select id, is_active as "isActive", disabled_reason as "disabledReason", failing_since as "failingSince",
      failure_count as "failureCount", paused_until as "pausedUntil", at_once as "atOnce", lane,
      last_failed_status as "lastFailedStatus", last_failed_error as "lastFailedError"
    from webhooks where id = any (${ids}::uuid[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Walks the index of each webhook's turns from its oldest row. The limit bounds the rows that it reads. */
async function readWaiting(trx: Trx, ids: readonly string[]): Promise<Map<string, WaitingRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<WaitingRow>`
    select d.id, ${dueAt} as due_at, d.claimed_by, d.claimed_until, (
      select count(*)::int from (
        select from delivery_due o
        where o.webhook_id = d.webhook_id and o.due_at < d.due_at and o.due_at <= now()
        order by o.due_at limit ${mostCounted}
      ) first
    ) as ahead
    from delivery_due d left join webhooks w on w.id = d.webhook_id where d.id = any (${ids}::uuid[])`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
