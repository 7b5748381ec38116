import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Claimed } from '../dispatch/claim.ts';
import { recipientKey } from '../dispatch/consent.ts';

/** What a look-up said of a number. */
export interface Contact {
  /** Null where there is no such WhatsApp account. */
  readonly jid: string | null;
  /** WhatsApp named no LID of it when it was last asked, not long ago. */
  readonly lacksLid: boolean;
}

/** What was found out about a number, by its digits, in the last 30 days; null when it has to be looked up. */
export async function findContact(db: Db, accountId: string, recipient: string): Promise<Contact | null> {
  const { rows } = await sql<Contact>`
    select jid, coalesce(no_lid_until > now(), false) as "lacksLid"
    from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
      and checked_at > now() - interval '30 days'`.execute(db);
  return rows[0] ?? null;
}

/** Keeps what a look-up said. */
export async function saveContact(
  db: Db,
  accountId: string,
  recipient: string,
  jid: string | null,
): Promise<void> {
  await sql`
    insert into whatsapp_contacts (account_id, recipient, jid, checked_at)
    values (${accountId}, ${recipient}, ${jid}, now())
    on conflict (account_id, recipient) do update set jid = excluded.jid, checked_at = now()`.execute(db);
}

/** Remembers for so long, in ms, that WhatsApp names no LID of a number that was looked up. */
export async function saveLackOfLid(
  db: Db,
  accountId: string,
  recipient: string,
  forMs: number,
): Promise<void> {
  await sql`
    update whatsapp_contacts set no_lid_until = now() + make_interval(secs => ${forMs}::float8 / 1000)
    where account_id = ${accountId} and recipient = ${recipient}`.execute(db);
}

/**
 * Notes that the account is about to write to a number. One that is not known yet takes a place among the day's new
 * contacts, and is known once WhatsApp has taken a message to it (`markTaken`).
 */
export async function takePlace(db: Db, accountId: string, recipient: string): Promise<void> {
  await sql`
    update whatsapp_contacts set first_sent_at = now(), unproven = true
    where account_id = ${accountId} and recipient = ${recipient}
      and (first_sent_at is null or unproven and first_sent_at <= now() - interval '1 day')`.execute(db);
}

/** How many new contacts an account may write to, as its owner and WhatsApp want it. */
export interface NewContactRules {
  readonly perDay: number;
  /** Over so many days after linking that number grows from one day's share to the whole. */
  readonly warmUpDays: number;
}

/** How many new contacts these rules allow the account of `whatsapp_links` by now; as on the first day until it is linked. */
function allowedBy({ perDay, warmUpDays }: NewContactRules): RawBuilder<number> {
  return sql`ceil(${perDay}::float8 * least(1, (floor(extract(epoch from now() - coalesce(linked_at, now())) / 86400) + 1)
    / greatest(1, ${warmUpDays}::int)))::int`;
}

/** How many new contacts the rules allow an account in 24 hours by now; 0 where there is no such account. */
export async function allowedNewContacts(db: Db, accountId: string, rules: NewContactRules): Promise<number> {
  const { rows } = await sql<{ allowed: number }>`
    select ${allowedBy(rules)} as allowed from whatsapp_links where account_id = ${accountId}`.execute(db);
  return rows[0]?.allowed ?? 0;
}

/** How long a message has to wait, in ms, and whether that holds for one contact or for all new ones. */
export interface ContactWait {
  readonly waitMs: number;
  readonly of: 'contact' | 'new-contacts';
}

/**
 * How long a message to `recipient` has to wait: until WhatsApp's restriction ends, until enough of the last 24 hours'
 * new contacts are that long ago, and until its own hold ends where WhatsApp has refused it. Null when it may go, as it
 * may to a contact that is known.
 */
export async function contactWait(
  db: Db,
  accountId: string,
  recipient: string,
  rules: NewContactRules,
): Promise<ContactWait | null> {
  const { rows } = await sql<{ own_ms: number; shared_ms: number }>`
    with link as (
      select restricted_until, ${allowedBy(rules)} as allowed from whatsapp_links where account_id = ${accountId}
    ),
    contact as (
      select first_sent_at, unproven, refused_until, coalesce(first_sent_at > now() - interval '1 day', false) as has_place
      from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
    ),
    ends as (
      select refused_until as own, greatest(
        restricted_until,
        case when allowed = 0 and has_place is not true then now() + interval '1 day' end,
        case when has_place is not true then (
          select first_sent_at + interval '1 day' from whatsapp_contacts
          where account_id = ${accountId} and first_sent_at > now() - interval '1 day'
          order by first_sent_at desc offset greatest(0, allowed - 1) limit 1) end
      ) as shared
      from link left join contact on true where first_sent_at is null or unproven
    )
    select ${msUntil('own')} as own_ms, ${msUntil('shared')} as shared_ms from ends`.execute(db);
  const { own_ms: own, shared_ms: shared } = rows[0] ?? { own_ms: 0, shared_ms: 0 };
  if (own > shared) return { waitMs: own, of: 'contact' };
  return shared > 0 ? { waitMs: shared, of: 'new-contacts' } : null;
}

function msUntil(column: string): RawBuilder<number> {
  return sql`greatest(0, ceil(extract(epoch from ${sql.ref(column)} - now()) * 1000))::float8`;
}

const postponedAtOnce = 500;

/**
 * Gives a claimed message back, unburnt: it is due when `wait` has passed. Where that holds for all new contacts, up to
 * 500 messages to others that have no place among those of the day are due then too.
 */
export async function postpone(db: Db, claimed: Claimed, { waitMs, of }: ContactWait): Promise<void> {
  const isMine = sql`d.message_id = ${claimed.messageId} and d.claimed_by = ${claimed.holder}`;
  const later =
    of === 'contact'
      ? sql`select message_id from dispatch_due d where ${isMine}`
      : sql`
      select d.message_id from dispatch_due d
      join channel_accounts a on a.id = d.account_id join messages m on m.id = d.message_id
      left join whatsapp_contacts c on c.account_id = d.account_id and c.recipient = ${recipientKey('a', 'm')}
      where d.account_id = ${claimed.account.id} and (${isMine}
        or d.claimed_by is null and d.due_at < now() + make_interval(secs => ${waitMs}::float8 / 1000)
          and (c.first_sent_at is null or c.unproven and c.first_sent_at <= now() - interval '1 day'))
      order by d.message_id = ${claimed.messageId} desc limit ${postponedAtOnce}`;
  await sql`
    with later as (${later}),
    locked as (
      select message_id from dispatch_due where message_id in (select message_id from later)
      order by message_id for update
    )
    update dispatch_due d set
      due_at = now() + make_interval(secs => ${waitMs}::float8 / 1000),
      attempts = d.attempts - case when d.claimed_by is null then 0 else 1 end,
      claimed_by = null, claimed_until = null, attempt_began_at = null
    from locked where d.message_id = locked.message_id
      and (d.claimed_by is null or d.claimed_by = ${claimed.holder})`.execute(db);
}

/** Holds the account's next message for so long, in ms. */
export async function holdAccount(db: Db, accountId: string, holdMs: number): Promise<void> {
  await sql`
    update channel_accounts set
      paced_until = greatest(paced_until, now() + make_interval(secs => ${holdMs}::float8 / 1000))
    where id = ${accountId}`.execute(db);
}
