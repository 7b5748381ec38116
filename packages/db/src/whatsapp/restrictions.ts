import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { recipientKey } from '../consents/recipient-key.ts';
import { type PartitionLease, underLease } from '../ownership/partitions.ts';

/** WhatsApp's rule for first messages to new contacts, as it said or as we infer it. */
export type Restriction =
  /** WhatsApp refuses them until this time, or for this long, in ms. A later end that is already known stays. */
  | { readonly kind: 'until'; readonly end: Date }
  | { readonly kind: 'for'; readonly ms: number }
  /** WhatsApp accepts them again, whatever it said before. They rest for this long, in ms. */
  | { readonly kind: 'lifted'; readonly restMs: number };

/** The most messages that become due when a restriction is lifted. No more than that go in a day. */
const releasedAtOnce = 1_000;

/** Stores when WhatsApp accepts first messages to new contacts again. False when the lease is lost. */
export async function restrictDevice(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  restriction: Restriction,
): Promise<boolean> {
  const restricted = sql`restricted as (
      update whatsapp_links set restricted_until = ${endOf(restriction)}, version = version + 1
      from lease where account_id = ${accountId}
    )`;
  if (restriction.kind !== 'lifted') return underLease(db, lease, restricted);
  const waiting = await waitingFirsts(db, accountId);
  return underLease(db, lease, sql`${restricted}, ${released(waiting)}`);
}

function endOf(restriction: Restriction): RawBuilder<unknown> {
  const inMs = (ms: number) => sql`now() + make_interval(secs => ${ms}::float8 / 1000)`;
  switch (restriction.kind) {
    case 'until':
      return sql`greatest(restricted_until, ${restriction.end}::timestamptz)`;
    case 'for':
      return sql`greatest(restricted_until, ${inMs(restriction.ms)})`;
    case 'lifted':
      return restriction.restMs === 0 ? sql`null` : inMs(restriction.restMs);
  }
}

/**
 * First messages to new contacts that wait. Read by itself, because a statement that locks must not choose among
 * partitions (docs/decisions/0012-write-path.md).
 */
async function waitingFirsts(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.message_id as id from dispatch_due d
    join channel_accounts a on a.id = d.account_id join messages m on m.id = d.message_id
    left join whatsapp_contacts c on c.account_id = d.account_id and c.recipient = ${recipientKey('a', 'm')}
    where d.account_id = ${accountId} and d.claimed_by is null and not d.awaiting_receipt and d.due_at > now()
      and (c.first_sent_at is null or c.unproven)
    order by d.message_id limit ${releasedAtOnce}`.execute(db);
  return rows.map((row) => row.id);
}

/** Makes waiting messages due at once, at the time that their senders chose, or when quiet hours end, in SQL. The claim finds any other reason to hold them. */
function released(ids: readonly string[]): RawBuilder<unknown> {
  return sql`
    waiting as (
      select message_id from dispatch_due
      where message_id = any (${ids}::uuid[]) and claimed_by is null and not awaiting_receipt
      order by message_id for update skip locked
    ),
    released as (
      update dispatch_due d set due_at = greatest(now(), d.scheduled_at, d.quiet_until) from waiting, lease where d.message_id = waiting.message_id
    )`;
}
