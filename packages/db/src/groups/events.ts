import type { GroupEventName, Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { idInOrder, insertBodies, webhooksToWake, withLabels } from '../messages/insert-events.ts';

interface Telling {
  readonly groupId: string;
  readonly event: GroupEventName;
  /** Within the group, from 1. */
  readonly sequence: number;
}

/**
 * Stores an event of a group, as the same transaction has written the group before, and its deliveries. It names the message that was
 * delivered first, or else the last one. Returns the webhooks with new work.
 */
export async function tellGroup(
  trx: Statements,
  { groupId, event, sequence }: Telling,
): Promise<readonly Wake[]> {
  const told = sql`
        select e.event_id, ${event}::text as event, null::int as sequence, m.tenant_id, null::uuid as message_id,
          ${withLabels(sql`group_event_body(e.event_id, ${event}::text, ${sequence}::int, now(), ${groupId}::uuid, m.id, m.tenant_id,
            m.channel_account_id, m.channel, m.recipient, m.type, ${event.slice('group.'.length)}::text, m.error, m.error_code,
            e.delivered_twice)`)} as body, m.tags
        from (
          select ${idInOrder(sql`updated_at`, sql`${sequence}::int`)} as event_id, delivered_twice, message_ids
          from message_groups where id = ${groupId}::uuid
        ) e cross join lateral (
          select * from messages where id = any (e.message_ids)
          order by status = 'delivered' desc, case status when 'delivered' then delivered_at end, id desc limit 1
        ) m`;
  const { rows } = await sql<{ webhooks: Wake[] | null }>`
    with ${insertBodies(told, sql`, tags`)}
    select (select json_agg(woken) from (${webhooksToWake}) woken) as webhooks`.execute(trx);
  return rows[0]!.webhooks ?? [];
}
