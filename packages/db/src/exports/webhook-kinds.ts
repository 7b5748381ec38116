import { sql } from 'kysely';
import type { ExportKinds } from './export-kinds.ts';

/** Webhooks, events, and what was posted. */
export const webhookKinds: ExportKinds = {
  webhooks: (id) => sql`
    select 'wh_' || id as id, url, events, account_ids as "channelAccountIds",
      channels, tags, pack_max_events as "packMaxEvents", pack_max_wait_ms as "packMaxWaitMs", description, is_active as "isActive", disabled_reason as "disabledReason",
      failure_count as "failureCount", failing_since as "failingSince", last_triggered_at as "lastTriggeredAt",
      last_failed_at as "lastFailedAt", last_failed_status as "lastFailedStatus",
      last_failed_error as "lastFailedError", created_at as "createdAt"
    from webhooks where tenant_id = ${id}::uuid order by webhooks.id`,
  events: (id) => sql`
    select 'evt_' || id as id, event, 'msg_' || message_id as "messageId", body, occurred_at as "occurredAt"
    from events where tenant_id = ${id}::uuid order by events.id`,
  deliveries: (id) => sql`
    select 'dlv_' || id as id, 'wh_' || webhook_id as "webhookId", 'evt_' || event_id as "eventId", state, reason,
      attempts, created_at as "createdAt", ended_at as "endedAt", 'bat_' || pack_id as "packId"
    from (
      select id, webhook_id, tenant_id, event_id, state, reason, attempts, created_at, ended_at, pack_id from deliveries
      union all
      select id, webhook_id, tenant_id, event_id, 'waiting', null, attempts, created_at, null, pack_id from delivery_due
    ) d where tenant_id = ${id}::uuid order by d.id`,
  'delivery-attempts': (id) => sql`
    select d.kind || t.delivery_id as "deliveryId", 'wh_' || t.webhook_id as "webhookId", t.number, t.status, t.error,
      t.answer, t.duration_ms as "durationMs", t.began_at as "beganAt"
    from (
      select 'dlv_' as kind, id from deliveries where tenant_id = ${id}::uuid
      union all select 'dlv_', id from delivery_due where tenant_id = ${id}::uuid
      union all select 'bat_', id from delivery_packs where tenant_id = ${id}::uuid
    ) d join delivery_attempts t on t.delivery_id = d.id order by t.delivery_id, t.number`,
};
