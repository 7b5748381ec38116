import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import type { LoadTenant } from './tenants.ts';

/**
 * Stores messages with their events and delivery attempts to a webhook, as if the tenant had sent them evenly over
 * the last 30 days. 3 of 100 failed; the others were delivered within seconds, and 3 of 10 of them were read.
 */
export async function loadTraffic(
  db: Db,
  { tenantId, accountId }: LoadTenant,
  webhookId: string,
  count: number,
): Promise<void> {
  const atOnce = 50_000;
  for (let first = 0; first < count; first += atOnce)
    await sql`
      with made as materialized (
        select uuidv7(-age) as id, now() - age as created_at, n % 100 < 3 as failed, n % 10 in (4, 5, 6) as read,
          age, (500 + 20000 * random() ^ 4) * interval '1 ms' as took
        from generate_series(${first}::int, ${Math.min(count, first + atOnce) - 1}::int) as n
        cross join lateral (select interval '30 days' * (1 - (n + 1)::float8 / ${count}) as age) a
      ),
      stored as (
        insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, error_code,
          emitted, attempts, created_at, expires_at, sent_at, delivered_at, read_at, failed_at)
        select id, ${tenantId}, ${accountId}, 'sms', '+14155550123', 'text', '{"text":"Your code is 123456."}', false,
          case when failed then 'failed' else 'delivered' end, case when failed then 'rejected' end,
          case when failed then '{queued,failed}' when read then '{queued,sent,delivered,read}'
            else '{queued,sent,delivered}' end::text[],
          1, created_at, created_at + interval '1 day', case when not failed then created_at + took end,
          case when not failed then created_at + took end, case when read and not failed then created_at + took end,
          case when failed then created_at + took end
        from made
      ),
      announced as materialized (
        select m.*, k.*, uuidv7(-(age - k.after * took)) as event_id from made m cross join lateral (values
          ('message.queued', 1, 0, true), ('message.sent', 2, 1, not failed), ('message.delivered', 3, 1, not failed),
          ('message.read', 4, 1, read and not failed), ('message.failed', 2, 1, failed)
        ) as k(event, sequence, after, holds) where holds
      ),
      recorded as (
        insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
        select event_id, ${tenantId}, id, event, sequence,
          event_body(event_id, event, sequence, created_at, id, ${tenantId}, ${accountId}, 'sms', '+14155550123', 'text',
            substr(event, 9), null, null, case when failed then 'rejected' end, false),
          created_at + after * took
        from announced
      )
      insert into delivery_attempts (id, delivery_id, webhook_id, number, status, answer, duration_ms, began_at)
      select event_id, event_id, ${webhookId}, 1, 204, '', 12, created_at + after * took from announced`.execute(
      db,
    );
  await sql`vacuum analyze messages, events, delivery_attempts`.execute(db);
}
