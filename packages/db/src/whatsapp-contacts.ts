import { type RawBuilder, sql } from 'kysely';
import type { Claimed } from './claim.ts';
import type { Db } from './connect.ts';
import { recipientKey } from './consent.ts';

/** What a look-up said of a number. */
export interface Contact {
  /** Null where there is no such WhatsApp account. */
  readonly jid: string | null;
}

/** What was found out about a number, by its digits, in the last 30 days; null when it has to be looked up. */
export async function findContact(db: Db, accountId: string, recipient: string): Promise<Contact | null> {
  const { rows } = await sql<Contact>`
    select jid from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
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

/** Notes that the account is about to write to a number; the first time counts among its new contacts. */
export async function markWritten(db: Db, accountId: string, recipient: string): Promise<void> {
  await sql`
    update whatsapp_contacts set first_sent_at = now()
    where account_id = ${accountId} and recipient = ${recipient} and first_sent_at is null`.execute(db);
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

/**
 * How long first messages to new contacts have to wait, in ms: until WhatsApp's restriction ends, and until enough of
 * the last 24 hours' new contacts are that long ago. Zero when one more may go, or when `recipient` is none.
 */
export async function newContactWaitMs(
  db: Db,
  accountId: string,
  recipient: string,
  rules: NewContactRules,
): Promise<number> {
  const { rows } = await sql<{ wait_ms: number }>`
    with link as (
      select restricted_until, ${allowedBy(rules)} as allowed from whatsapp_links where account_id = ${accountId}
    )
    select greatest(0, ceil(extract(epoch from greatest(
      restricted_until,
      case when allowed = 0 then now() + interval '1 day' end,
      (select first_sent_at + interval '1 day' from whatsapp_contacts
        where account_id = ${accountId} and first_sent_at > now() - interval '1 day'
        order by first_sent_at desc offset greatest(0, allowed - 1) limit 1)
    ) - now()) * 1000))::float8 as wait_ms
    from link where not exists (
      select from whatsapp_contacts where account_id = ${accountId} and recipient = ${recipient}
        and first_sent_at is not null
    )`.execute(db);
  return rows[0]?.wait_ms ?? 0;
}

const postponedAtOnce = 500;

/** Gives back, unburnt, a claimed message and up to 500 others to new contacts: they are due in `waitMs`. */
export async function postponeNewContacts(db: Db, claimed: Claimed, waitMs: number): Promise<void> {
  await sql`
    with later as (
      select d.message_id from dispatch_due d
      join channel_accounts a on a.id = d.account_id join messages m on m.id = d.message_id
      left join whatsapp_contacts c on c.account_id = d.account_id and c.recipient = ${recipientKey('a', 'm')}
      where d.account_id = ${claimed.account.id} and c.first_sent_at is null
        and (d.claimed_by is null and d.due_at < now() + make_interval(secs => ${waitMs}::float8 / 1000)
          or d.message_id = ${claimed.messageId} and d.claimed_by = ${claimed.holder})
      order by d.message_id = ${claimed.messageId} desc limit ${postponedAtOnce}
    ),
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
