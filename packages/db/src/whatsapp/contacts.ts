import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Claimed } from '../dispatch/claim-messages.ts';
import { recipientKey } from '../consents/recipient-key.ts';

/** The result of a look-up of a number. */
export interface Contact {
  /** Null when the number has no WhatsApp account. */
  readonly jid: string | null;
  /** WhatsApp named no LID of it at the last request, which is recent. */
  readonly lacksLid: boolean;
}

/** The result of a look-up of a number, by its digits, in the last 30 days. Null when it has to be looked up. */
export async function findContact(db: Db, accountId: string, recipient: string): Promise<Contact | null> {
  const { rows } = await sql<Contact>`
    select jid, coalesce(no_lid_until > now(), false) as "lacksLid"
    from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
      and checked_at > now() - interval '30 days'`.execute(db);
  return rows[0] ?? null;
}

/** Stores the result of a look-up. */
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

/**
 * Notes that WhatsApp knows the person of a contact by another number, to which later messages go: that one is no new contact.
 * It takes no place among the day's new contacts, because the first number has it.
 */
export async function saveKnownAs(
  db: Db,
  accountId: string,
  recipient: string,
  knownAs: string,
): Promise<void> {
  await sql`
    insert into whatsapp_contacts (account_id, recipient, jid, checked_at, first_sent_at)
    select account_id, ${knownAs}, jid, checked_at, now() - interval '1 day'
    from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
    on conflict (account_id, recipient) do nothing`.execute(db);
}

/** Records for this long, in ms, that WhatsApp names no LID of a number that was looked up. */
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

/** Whether a contact has written to the account, in SQL. Such a contact is not new to the account. */
function hasWritten(accountId: RawBuilder<unknown>, contact: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from conversations v
    where v.account_id = ${accountId} and v.contact = ${contact} and v.last_inbound_at is not null
  )`;
}

/**
 * Records that the account is about to write to a number. A number that is not yet a known contact, and has not written
 * to the account, takes a place among the day's new contacts. It is known once WhatsApp has accepted a message to it
 * (`markTaken`).
 */
export async function takePlace(db: Db, accountId: string, recipient: string): Promise<void> {
  await sql`
    update whatsapp_contacts set first_sent_at = now(), unproven = true
    where account_id = ${accountId} and recipient = ${recipient}
      and (first_sent_at is null or unproven and first_sent_at <= now() - interval '1 day')
      and not ${hasWritten(sql`account_id`, sql`recipient`)}`.execute(db);
}

/** The limits on new contacts that an account may write to. */
export interface NewContactRules {
  readonly perDay: number;
  /** Over this many days after linking, the number grows from one day's share to `perDay`. */
  readonly warmUpDays: number;
}

/**
 * The new contacts in 24 hours that these rules permit the account of `whatsapp_links` now. Until it is linked, as on
 * the first day.
 */
function allowedBy({ perDay, warmUpDays }: NewContactRules): RawBuilder<number> {
  return sql`ceil(${perDay}::float8 * least(1, (floor(extract(epoch from now() - coalesce(linked_at, now())) / 86400) + 1)
    / greatest(1, ${warmUpDays}::int)))::int`;
}

/** The new contacts in 24 hours that the rules permit an account now. 0 when there is no such account. */
export async function allowedNewContacts(db: Db, accountId: string, rules: NewContactRules): Promise<number> {
  const { rows } = await sql<{ allowed: number }>`
    select ${allowedBy(rules)} as allowed from whatsapp_links where account_id = ${accountId}`.execute(db);
  return rows[0]?.allowed ?? 0;
}

/** How long a message must wait, in ms, and whether the wait applies to one contact or to all new ones. */
export interface ContactWait {
  readonly waitMs: number;
  readonly of: 'contact' | 'new-contacts';
}

/**
 * How long a message to `recipient` must wait: until WhatsApp's restriction ends, until enough of the new contacts of
 * the last 24 hours are older than that, and until the hold of a refused contact ends. Null when it may go. A message
 * to a known contact may always go, and one to a contact who has written waits for its own hold only.
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
      select refused_until as own, case when not ${hasWritten(sql`${accountId}::uuid`, sql`${recipient}::text`)} then greatest(
        restricted_until,
        case when allowed = 0 and has_place is not true then now() + interval '1 day' end,
        case when has_place is not true then (
          select first_sent_at + interval '1 day' from whatsapp_contacts
          where account_id = ${accountId} and first_sent_at > now() - interval '1 day'
          order by first_sent_at desc offset greatest(0, allowed - 1) limit 1) end
      ) end as shared
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
 * Gives a claimed message back, its attempt unused, due after `wait`. If the wait applies to all new contacts, up to
 * 500 messages to others without a place among the day's contacts become due then too.
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
          and (c.first_sent_at is null or c.unproven and c.first_sent_at <= now() - interval '1 day')
          and not ${hasWritten(sql`d.account_id`, recipientKey('a', 'm'))})
      order by d.message_id = ${claimed.messageId} desc limit ${postponedAtOnce}`;
  await sql`
    with later as materialized (${later}),
    locked as (
      select message_id from dispatch_due where message_id = any (array(select message_id from later))
      order by message_id for update
    )
    update dispatch_due d set
      due_at = now() + make_interval(secs => ${waitMs}::float8 / 1000),
      attempts = d.attempts - case when d.claimed_by is null then 0 else 1 end,
      claimed_by = null, claimed_until = null, attempt_began_at = null
    from locked where d.message_id = locked.message_id
      and (d.claimed_by is null or d.claimed_by = ${claimed.holder})`.execute(db);
}

/** Delays the next message of the account by so much, in ms. */
export async function delayAccount(db: Db, accountId: string, delayMs: number): Promise<void> {
  await sql`
    update channel_accounts set
      paced_until = greatest(paced_until, now() + make_interval(secs => ${delayMs}::float8 / 1000))
    where id = ${accountId}`.execute(db);
}
