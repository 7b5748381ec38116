import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { float8, unnestRows, uuid } from '../connection/rows.ts';

/** A claimed message that came up in quiet hours. Times are in ms since 1970. */
export interface Postponement {
  readonly messageId: string;
  readonly holder: string;
  /** The end of the quiet hours. */
  readonly until: number;
  /** Since when the message would have been sent without them, as far as the caller knows. */
  readonly since: number;
}

/**
 * Gives back messages until their quiet hours end. Their attempt does not count, and their lifetime is longer by what they wait
 * for. Only the holder of a lease may do so: any other message stays as it is. A paced account gets its pace back, so that
 * messages of other zones do not wait for nothing. Returns how many were postponed.
 */
export async function postponeMessages(db: Db, postponements: readonly Postponement[]): Promise<number> {
  if (postponements.length === 0) return 0;
  const ids = postponements.map(({ messageId }) => messageId);
  const asked = unnestRows('p', postponements, {
    message_id: uuid((one) => one.messageId),
    holder: uuid((one) => one.holder),
    until_ms: float8((one) => one.until),
    since_ms: float8((one) => one.since),
  });
  // Messages before their due rows, as every transaction locks them. An earlier postponement has moved the expiry already.
  const { rows } = await sql<{ count: number }>`
    with present as materialized (
      select id from messages where id = any (${ids}::uuid[]) order by id for no key update
    ),
    mine as materialized (
      select d.message_id, d.account_id, to_timestamp(p.until_ms / 1000) as until,
        greatest(interval '0', to_timestamp(p.until_ms / 1000)
          - greatest(d.due_at, d.quiet_until, to_timestamp(p.since_ms / 1000))) as longer
      from dispatch_due d join ${asked} on p.message_id = d.message_id and p.holder = d.claimed_by
      where d.message_id = any (array(select id from present))
      order by d.message_id for update of d
    ),
    moved as (
      update dispatch_due d set due_at = mine.until, quiet_until = mine.until, expires_at = d.expires_at + mine.longer,
        has_slot = false, claimed_by = null, claimed_until = null, attempt_began_at = null, attempts = d.attempts - 1
      from mine where d.message_id = mine.message_id and d.message_id = any (array(select message_id from mine))
    ),
    told as (
      update messages m set expires_at = m.expires_at + mine.longer, updated_at = greatest(now(), m.updated_at),
        postponed_ms = coalesce(m.postponed_ms, 0) + extract(epoch from mine.longer)::float8 * 1000
      from mine where m.id = mine.message_id and m.id = any (${ids}::uuid[])
    ),
    unpaced as (
      update channel_accounts a set paced_until = a.paced_until - make_interval(secs => unused.count / a.per_second)
      from (select account_id, count(*) as count from mine group by account_id) unused
      where a.id = unused.account_id and a.per_second is not null
    )
    select count(*)::int as count from mine`.execute(db);
  return rows[0]!.count;
}
