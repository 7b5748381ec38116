import { failuresUntilFailing, longestWaitingMs } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

const batch = 1_000;

/**
 * Gives up deliveries that have waited 3 days for a failing webhook: they fail as expired, without using an attempt.
 * Deliveries in flight stay with their worker. Those of a pack wait together, from when it was made. Returns how many were given up.
 */
export async function expireDeliveries(db: Db): Promise<number> {
  for (let expired = 0; ;) {
    const { rows } = await sql<{ moved: number }>`
      with old as (
        select d.id from webhooks w join delivery_due d on d.webhook_id = w.id
        where w.failure_count >= ${failuresUntilFailing}
          and greatest(d.created_at, uuid_extract_timestamp(d.pack_id)) < now() - make_interval(secs => ${longestWaitingMs}::float8 / 1000)
          and coalesce(d.claimed_until < now(), true)
        limit ${batch} for update of d skip locked
      ),
      gone as (
        delete from delivery_due d using old where d.id = old.id
        returning d.id, d.webhook_id, d.tenant_id, d.event_id, d.attempts, d.created_at, d.pack_id, d.leads_pack
      ),
      moved as (
        insert into deliveries (id, webhook_id, tenant_id, event_id, state, reason, attempts, created_at, ended_at, pack_id, leads_pack)
        select id, webhook_id, tenant_id, event_id, 'failed', 'expired', attempts, created_at, now(), pack_id, leads_pack from gone
        on conflict (id) do nothing
      )
      select count(*)::int as moved from gone`.execute(db);
    const moved = rows[0]?.moved ?? 0;
    expired += moved;
    if (moved < batch) return expired;
  }
}
