import { contactKey } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Claimed } from './claim-messages.ts';

/**
 * Keeps messages to one recipient apart, across all processes: each claimed message that has no time yet gets the next
 * free time of its recipient. Messages whose time is now are returned and may be sent. The others are released with their
 * attempt unused, due at their time.
 */
export async function giveRecipientTimes(
  db: Db,
  claims: readonly Claimed[],
  intervalMs: number,
): Promise<Claimed[]> {
  const waiting = claims.filter((claimed) => claimed.state === 'call' && !claimed.hasRecipientTime);
  if (waiting.length === 0) return [...claims];
  const asking = unnestRows('w', waiting, {
    message_id: uuid((claimed) => claimed.messageId),
    holder: uuid((claimed) => claimed.holder),
    recipient: text((claimed) => contactKey(claimed.account.channel, claimed.to)),
  });
  const { rows } = await sql<{ message_id: string }>`
    with wanted as (
      select w.*, row_number() over (partition by recipient order by message_id) - 1 as place,
        count(*) over (partition by recipient) as total
      from ${asking}
    ),
    taken as (
      insert into recipient_slots as s (account_id, recipient, next_at)
      select distinct ${waiting[0]!.account.id}::uuid, recipient,
        now() + total * make_interval(secs => ${intervalMs}::float8 / 1000)
      from wanted order by recipient
      on conflict (account_id, recipient) do update set
        next_at = greatest(s.next_at, now()) + (excluded.next_at - now())
      returning recipient, next_at
    ),
    times as (
      select w.message_id, w.holder,
        t.next_at - (w.total - w.place) * make_interval(secs => ${intervalMs}::float8 / 1000) as at
      from wanted w join taken t on t.recipient = w.recipient
    )
    update dispatch_due d set due_at = times.at, has_slot = true, claimed_by = null, claimed_until = null,
      attempt_began_at = null, attempts = d.attempts - 1
    from times where d.message_id = any (${waiting.map((claimed) => claimed.messageId)}::uuid[])
      and d.message_id = times.message_id and d.claimed_by = times.holder and times.at > now()
    returning d.message_id`.execute(db);
  const postponed = new Set(rows.map((row) => row.message_id));
  return claims.filter((claimed) => !postponed.has(claimed.messageId));
}

/** Removes times that are over. Returns how many. */
export async function dropPastTimes(db: Db): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from recipient_slots where next_at < now() - interval '1 minute'`.execute(db);
  return Number(numAffectedRows ?? 0);
}
