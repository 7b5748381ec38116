import type { Channel, Cut, Lane, MessageBody, MessageType } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { newHolder } from '../connection/holder.ts';
import { int, unnestRows, uuid } from '../connection/rows.ts';
import { mayLeave } from '../holds/hold.ts';
import { progressOf } from '../schema/part-progress.ts';
import type { AccountStatus } from '../schema/tables.ts';
import { earlierKeyOf, keysOf, recipientKey } from '../consents/recipient-key.ts';
import { freeOf, pacedAfter } from './pace.ts';

/** How long a lease lasts, in ms: the deadline of the call plus the time to begin and to settle it. */
export interface LeaseMs {
  readonly text: number;
  /** Includes fetching and uploading the file. */
  readonly media: number;
}

/** The request of one account's turn. */
export interface ClaimRequest {
  /** The most messages to claim. */
  readonly limit: number;
  /** Singles claimed since the last bulk message, 0 to 4. Every fifth message is a bulk message. */
  readonly singlesSinceBulk: number;
}

/** The terms that all accounts of a claim share. */
export interface ClaimTerms {
  /** The lane of the turns. Accounts of another lane yield nothing. */
  readonly lane: Lane;
  /** By provider. */
  readonly leaseMs: Readonly<Record<string, LeaseMs>>;
  /** Whether to read the senders' `traceparent`. Default false. */
  readonly traced?: boolean;
}

/** The account of a turn, as it is at the moment of the claim. */
export interface ClaimedAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly channel: Channel;
  readonly provider: string;
  /** Sealed. */
  readonly settings: string;
  readonly lane: Lane;
  readonly status: AccountStatus;
}

/** A message that a claimed one answers. */
export interface ClaimedQuote {
  readonly externalId: string;
  readonly isInbound: boolean;
  /** Its text or caption. */
  readonly text: string | null;
  /** The topic of the chat that it is in. */
  readonly threadId: number | null;
}

/** A message that only this turn may work on until its lease ends. */
export interface Claimed {
  readonly account: ClaimedAccount;
  readonly messageId: string;
  /** The holder of the lease. New for every claim: with a reused one, settling a claim twice could end the next. */
  readonly holder: string;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** The message that this one answers, if its provider's id is known. */
  readonly replyTo: ClaimedQuote | null;
  readonly bulk: boolean;
  /** Whether it is sent in quiet hours too. */
  readonly urgent: boolean;
  /**
   * `call`: its attempt has begun. `taken-over`: the attempt of another holder began and never ended.
   * `without-receipt`: no receipt arrived in time. `opted-out`: the recipient has opted out of messages from this
   * account.
   */
  readonly state: 'call' | 'taken-over' | 'without-receipt' | 'opted-out';
  /** Whether the due time is one that its recipient's pace gave it. */
  readonly hasRecipientTime: boolean;
  /** Attempts used, including the one that has just begun. */
  readonly attempts: number;
  readonly throttles: number;
  readonly resends: number;
  /** The next part, from 0, and the cut that the parts before it were made by. */
  readonly part: number;
  readonly cut: Cut;
  readonly msToExpiry: number;
  /** The database's clock at the claim, in ms since 1970. */
  readonly now: number;
  /**
   * How long the message had waited at the claim, in ms, by the database's clock: since its acceptance, since the time that its
   * sender chose, since the quiet hours that postponed it, or since its account was connected, whichever was last.
   */
  readonly waitedMs: number;
  /** How long the lease lasts from the claim, in ms. */
  readonly leaseMs: number;
  /** The sender's, if traces are on and it gave one. */
  readonly traceparent?: string | null;
}

interface Row {
  account_id: string;
  message_id: string;
  recipient: string;
  /** The new address of a recipient who has moved. */
  moved_to: string | null;
  type: MessageType;
  body: MessageBody;
  quoted: ClaimedQuote | null;
  bulk: boolean;
  urgent: boolean | null;
  state: Claimed['state'];
  attempts: number;
  throttles: number;
  resends: number;
  part: number;
  has_slot: boolean;
  ms_to_expiry: number;
  now_ms: number;
  waited_ms: number;
  lease_ms: number;
  traceparent?: string | null;
  tenant_id: string;
  channel: Channel;
  provider: string;
  settings: string;
  lane: Lane;
  status: AccountStatus;
}

/**
 * Leases due messages of accounts, up to each account's `limit`, and records their attempt as begun before any provider
 * is called. The answer leaves out accounts without messages to claim, such as those that are paused, blocked, removed
 * or in another lane, and all accounts while sends are held. Expired messages are left to `failExpired`. A claim takes over rows whose lease has ended, and
 * only those. It waits for no lock.
 */
export async function claimMessages(
  db: Db,
  wanted: ReadonlyMap<string, ClaimRequest>,
  terms: ClaimTerms,
): Promise<Map<string, Claimed[]>> {
  const holder = newHolder();
  const traceparent = terms.traced === true ? sql`, traceparent` : sql``;
  const { rows } = await sql<Row>`
    with ${accountsOf(wanted, terms)},
    picked as (${picked}),
    content as materialized (
      select id, recipient, type, body, reply_to, urgent, greatest(created_at, scheduled_at) as since${traceparent} from messages where id = any (array(select message_id from picked))
    ),
    quoted as materialized (
      select id, external_id, received_at is not null as inbound, coalesce(body ->> 'text', body ->> 'caption') as text,
        coalesce(body ->> 'threadId', body -> 'telegram' ->> 'threadId')::bigint as thread
      from messages
      where exists (select from content where reply_to is not null)
        and id = any (array(select reply_to from content where reply_to is not null))
    ),
    claimed as (
      update dispatch_due d set
        claimed_until = ${leaseEnd(terms)},
        claimed_by = ${holder},
        attempt_began_at = case when d.claimed_by is null and not d.awaiting_receipt then now()
          else d.attempt_began_at end,
        attempts = d.attempts + case when d.claimed_by is null and not d.awaiting_receipt then 1 else 0 end
      from picked join account a on a.id = picked.account_id left join content m on m.id = picked.message_id
      where d.message_id = picked.message_id and d.message_id = any (array(select message_id from picked))
      returning new.*, case when old.claimed_by is not null then 'taken-over'
        when old.awaiting_receipt then 'without-receipt' else 'call' end as state
    ),
    taken as (select account_id, count(*) as count from claimed group by account_id),
    paced as (
      update channel_accounts a set paced_until = ${pacedAfter('a', sql`taken.count`)} from taken
      where a.id = taken.account_id and a.id = any (array(select id from paced_account))
    )
    select c.account_id, c.message_id, m.recipient, m.type, m.body, c.bulk, m.urgent, c.attempts,
      moved.address as moved_to,
      case when m.reply_to is not null then (
        select json_build_object('externalId', external_id, 'isInbound', inbound, 'text', text, 'threadId', thread)
        from quoted q where q.id = m.reply_to and external_id is not null
      ) end as quoted,
      case when c.state = 'call' and s.recipient is not null then 'opted-out' else c.state end as state, c.has_slot, c.throttles, c.resends, c.part,
      extract(epoch from c.expires_at - now())::float8 * 1000 as ms_to_expiry,
      extract(epoch from now())::float8 * 1000 as now_ms,
      extract(epoch from now() - greatest(m.since, a.last_connected_at,
        case when c.quiet_until <= now() then c.quiet_until end))::float8 * 1000 as waited_ms,
      extract(epoch from c.claimed_until - now())::float8 * 1000 as lease_ms,
      a.tenant_id, a.channel, a.provider, a.settings, a.lane, a.status${traceparent}
    from claimed c join content m on m.id = c.message_id join account a on a.id = c.account_id
    cross join lateral (select ${recipientKey('a', 'm')} as key offset 0) contact
    left join lateral (
      select address, contact_key(a.channel, address) as contact from moved_contacts v
      where a.channel <> 'sms' and v.account_id = a.id and v.contact = contact.key limit 1
    ) moved on true
    left join lateral (
      select recipient from suppressions
      where account_id = a.id and recipient = any (
        ${keysOf(sql`a.channel`, sql`contact.key`)} || ${keysOf(sql`a.channel`, sql`moved.contact`)}
          || ${earlierKeyOf(sql`a.channel`, sql`m.recipient`)}
      ) limit 1
    ) s on true
    order by c.bulk, c.due_at`.execute(db);
  return Map.groupBy(
    rows.map((row) => toClaimed(row, holder)),
    (claimed) => claimed.account.id,
  );
}

/**
 * The accounts that may claim now, and how many messages each may claim (`free`), in SQL. A paced account is locked, so
 * that concurrent claims share its pace. If another claim holds the lock, the account yields nothing now.
 */
function accountsOf(wanted: ReadonlyMap<string, ClaimRequest>, { lane }: ClaimTerms): RawBuilder<unknown> {
  const ids = [...wanted.keys()];
  const requests = unnestRows('w', [...wanted], {
    account_id: uuid(([id]) => id),
    wanted: int(([, request]) => request.limit),
    singles_since_bulk: int(([, request]) => request.singlesSinceBulk),
  });
  const mayGo = sql`id = any (${ids}::uuid[]) and lane = ${lane} and deleted_at is null and not blocked
    and coalesce(greatest(paused_until, paced_until) <= now(), true) and ${mayLeave}`;
  return sql`
    wanted as (select * from ${requests}),
    paced_account as (
      select * from channel_accounts where ${mayGo} and per_second is not null order by id
      for no key update skip locked
    ),
    account as (
      select a.*, w.singles_since_bulk, w.wanted as free
      from (select * from channel_accounts where ${mayGo} and per_second is null) a
      join wanted w on w.account_id = a.id
      union all
      select a.*, w.singles_since_bulk, least(w.wanted, ${freeOf('a')})
      from paced_account a join wanted w on w.account_id = a.id
    )`;
}

/** Due messages of one kind of the account `a`, oldest first, by the index on account, kind and due time, in SQL. */
function candidates(kind: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
            select d.message_id, d.due_at from dispatch_due d
            where d.account_id = a.id and ${kind} and d.due_at <= now() and d.expires_at > now()
              and coalesce(d.claimed_until < now(), true)
            order by d.due_at limit a.free for update of d skip locked`;
}

/** The messages claimed of each account, oldest first, in SQL. If both kinds wait, every fifth one is bulk. */
const picked = sql`
      select due.message_id, a.id as account_id from account a cross join lateral (
        select message_id from (
          select message_id, due_at, row_number() over (order by due_at) / 4.0 as place
          from (${candidates(sql`not d.bulk`)}) singles
          union all
          select message_id, due_at, row_number() over (order by due_at) - a.singles_since_bulk / 4.0
          from (${candidates(sql`d.bulk`)}) bulks
        ) candidates order by place, due_at limit a.free
      ) due`;

/** The lease of a message whose provider this process does not know. No call is made for it, so it needs little time. */
const unknownProviderLeaseMs = 10_000;

/** The end of the lease of `m`, a message of the account `a`, in SQL. */
function leaseEnd({ leaseMs }: ClaimTerms): RawBuilder<Date> {
  const kind = sql`case when m.type in ('text', 'template', 'interactive') then 'text' else 'media' end`;
  const ms = sql`(${JSON.stringify(leaseMs)}::jsonb -> a.provider ->> ${kind})::float8`;
  return sql`now() + make_interval(secs => coalesce(${ms}, ${unknownProviderLeaseMs}) / 1000)`;
}

function toClaimed(row: Row, holder: string): Claimed {
  return {
    account: {
      id: row.account_id,
      tenantId: row.tenant_id,
      channel: row.channel,
      provider: row.provider,
      settings: row.settings,
      lane: row.lane,
      status: row.status,
    },
    messageId: row.message_id,
    holder,
    to: row.moved_to ?? row.recipient,
    type: row.type,
    body: row.body,
    replyTo: row.quoted,
    bulk: row.bulk,
    urgent: row.urgent === true,
    state: row.state,
    attempts: row.attempts,
    throttles: row.throttles,
    resends: row.resends,
    ...progressOf(row.part),
    hasRecipientTime: row.has_slot,
    msToExpiry: row.ms_to_expiry,
    now: row.now_ms,
    waitedMs: row.waited_ms,
    leaseMs: row.lease_ms,
    ...(row.traceparent === undefined ? {} : { traceparent: row.traceparent }),
  };
}

/**
 * Gives back messages whose provider was never called: their attempt does not count, and they are due at once. With
 * `skipMs`, claims skip their accounts for that long, which prevents claiming and releasing in a loop.
 */
export async function releaseMessages(
  db: Db,
  claims: readonly { readonly messageId: string; readonly holder: string }[],
  skipMs = 0,
): Promise<void> {
  if (claims.length === 0) return;
  const released = unnestRows('c', claims, {
    message_id: uuid((claim) => claim.messageId),
    holder: uuid((claim) => claim.holder),
  });
  await sql`
    with mine as (
      select d.message_id, d.account_id from dispatch_due d
      join ${released} on c.message_id = d.message_id and c.holder = d.claimed_by
      where d.message_id = any (${claims.map((claim) => claim.messageId)}::uuid[])
      order by d.message_id for update of d
    ),
    released as (
      update dispatch_due d set claimed_by = null, claimed_until = null, attempt_began_at = null,
        attempts = d.attempts - 1
      where d.message_id = any (array(select message_id from mine))
    )
    update channel_accounts set
      paced_until = greatest(paced_until, now() + make_interval(secs => ${skipMs}::float8 / 1000))
    where ${skipMs}::float8 > 0 and id = any (array(select account_id from mine))`.execute(db);
}
