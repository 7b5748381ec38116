import { holdHours, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { insertBodies, webhooksToWake } from '../messages/insert-events.ts';
import type { Circumstances, Held } from './circumstances.ts';
import type { NewVerification } from './new-verification.ts';

/**
 * Holds a prefix, and tells the tenant by the event `verification.held`. Of several starts that see the same at once, the first
 * one holds it. Verifications before the end of the hold do not count for the next verdict.
 */
export async function holdPrefix(
  trx: Statements,
  { tenantId, prefix }: NewVerification,
  { holds, seen }: Circumstances,
): Promise<Held> {
  const hours = holdHours(holds);
  const until = sql`date_trunc('milliseconds', now()) + make_interval(hours => ${hours}::int)`;
  const { rows } = await sql<{ held: number; webhooks: Wake[] | null }>`
    with held as (
      insert into verification_limits as l (tenant_id, prefix, held_until, holds, judged_from)
      values (${tenantId}::uuid, ${prefix}, ${until}, ${holds + 1}::int, ${until})
      on conflict (tenant_id, prefix) do update
        set held_until = excluded.held_until, holds = excluded.holds, judged_from = excluded.judged_from
        where coalesce(l.judged_from <= now(), true) and l.guarded
      returning tenant_id, prefix, held_until
    ),
    ${insertBodies(sql`
      select event_id, 'verification.held' as event, null::int as sequence, tenant_id, null::uuid as message_id,
        verification_held_body(event_id, now(), tenant_id, prefix, ${seen.starts}::int, ${seen.checked}::int,
          ${seen.approved}::int,           held_until) as body
      from (select *, uuidv7() as event_id from held) held`)}
    select (select count(*)::int from held) as held, (select json_agg(woken) from (${webhooksToWake}) woken) as webhooks`.execute(
    trx,
  );
  const { held, webhooks } = rows[0]!;
  return { kind: 'held', retryAfterSeconds: hours * 3_600, isNew: held > 0, webhooks: webhooks ?? [] };
}
