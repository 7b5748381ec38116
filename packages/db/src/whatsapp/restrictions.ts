import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { recipientKey } from '../dispatch/consent.ts';
import { underLease } from './devices.ts';
import type { PartitionLease } from './partitions.ts';

/** What WhatsApp said, or is taken to have said, of first messages to new contacts. */
export type Restriction =
  /** It takes none until then, or for so long, in ms; an end that is known and later stays. */
  | { readonly kind: 'until'; readonly end: Date }
  | { readonly kind: 'for'; readonly ms: number }
  /** It takes them again, whatever it said before; they rest for so long, in ms. */
  | { readonly kind: 'lifted'; readonly restMs: number };

/** Most messages that are due again when a restriction is lifted; more than that do not go in a day. */
const releasedAtOnce = 1_000;

/** Keeps when WhatsApp takes first messages to new contacts again. False where the lease is lost. */
export function restrictDevice(
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
  return underLease(db, lease, sql`${restricted}, ${released(accountId)}`);
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

/** First messages to new contacts are due at once, in SQL: what still holds them back is found when they are claimed. */
function released(accountId: string): RawBuilder<unknown> {
  return sql`
    waiting as (
      select d.message_id from dispatch_due d
      join channel_accounts a on a.id = d.account_id join messages m on m.id = d.message_id
      left join whatsapp_contacts c on c.account_id = d.account_id and c.recipient = ${recipientKey('a', 'm')}
      where d.account_id = ${accountId} and d.claimed_by is null and not d.awaiting_receipt and d.due_at > now()
        and (c.first_sent_at is null or c.unproven)
      order by d.message_id limit ${releasedAtOnce} for update of d skip locked
    ),
    released as (
      update dispatch_due d set due_at = now() from waiting, lease where d.message_id = waiting.message_id
    )`;
}
