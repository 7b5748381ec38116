import type { Channel, MessageBody, MessageType } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { recipientKey } from './consent.ts';
import { freeOf, pacedAfter } from './pace.ts';
import type { AccountStatus, Lane } from './tables.ts';

/** How long a lease lasts, in ms: the deadline of the call, with the time to begin and to settle it. */
export interface LeaseMs {
  readonly text: number;
  /** Files are fetched and uploaded within it. */
  readonly media: number;
}

export interface ClaimRequest {
  readonly accountId: string;
  /** The lane of the turn; an account of the other lane gives nothing. */
  readonly lane: Lane;
  readonly limit: number;
  /** Who holds the lease; new for every claim, or what is stored twice for one could end the next. */
  readonly holder: string;
  /** By provider. */
  readonly leaseMs: Readonly<Record<string, LeaseMs>>;
  /** Singles claimed since the last bulk message, 0 to 4: bulk gets every fifth place. */
  readonly singlesSinceBulk: number;
}

/** The account that a turn is for, as it stands in the moment of the claim. */
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

/** A message that this turn, and no other, may work on until its lease ends. */
export interface Claimed {
  readonly account: ClaimedAccount;
  readonly messageId: string;
  readonly holder: string;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  readonly bulk: boolean;
  /**
   * `call`: its attempt has begun. `taken-over`: somebody else's had, and never ended. `unreported`: no receipt came in
   * time. `opted-out`: the recipient wants nothing from this account.
   */
  readonly state: 'call' | 'taken-over' | 'unreported' | 'opted-out';
  /** It was given its recipient's slot, and is due in it. */
  readonly hasSlot: boolean;
  /** Attempts burnt, the one that has begun included. */
  readonly attempts: number;
  readonly throttles: number;
  readonly resends: number;
  readonly part: number;
  readonly msToExpiry: number;
}

interface Row {
  message_id: string;
  recipient: string;
  type: MessageType;
  body: MessageBody;
  bulk: boolean;
  state: Claimed['state'];
  attempts: number;
  throttles: number;
  resends: number;
  part: number;
  has_slot: boolean;
  ms_to_expiry: number;
  tenant_id: string;
  channel: Channel;
  provider: string;
  settings: string;
  lane: Lane;
  status: AccountStatus;
}

/**
 * Leases up to `limit` due messages of one account, and marks their attempt as begun before any provider is called.
 * Nothing comes while the account is paused, blocked, removed or in the other lane; expired messages are left to
 * `failExpired`. Rows whose lease has ended are taken over, and only those.
 */
export async function claimMessages(db: Db, request: ClaimRequest): Promise<Claimed[]> {
  const { rows } = await sql<Row>`
    with ${accountOf(request)},
    singles as (${candidates(request, sql`not d.bulk`)}),
    bulks as (${candidates(request, sql`d.bulk`)}),
    picked as (
      select message_id from (
        select message_id, due_at, row_number() over (order by due_at) / 4.0 as place from singles
        union all
        select message_id, due_at, row_number() over (order by due_at) - ${request.singlesSinceBulk}::int / 4.0
        from bulks
      ) candidates order by place, due_at limit (select free from account)
    ),
    content as materialized (
      select id, recipient, type, body from messages where id = any (array(select message_id from picked))
    ),
    claimed as (
      update dispatch_due d set
        claimed_until = ${leaseEnd(request)},
        claimed_by = ${request.holder},
        attempt_began_at = case when d.claimed_by is null and not d.awaiting_receipt then now()
          else d.attempt_began_at end,
        attempts = d.attempts + case when d.claimed_by is null and not d.awaiting_receipt then 1 else 0 end
      from picked left join content m on m.id = picked.message_id, account
      where d.message_id = picked.message_id and d.message_id = any (array(select message_id from picked))
      returning new.*, case when old.claimed_by is not null then 'taken-over'
        when old.awaiting_receipt then 'unreported' else 'call' end as state
    ),
    paced as (
      update channel_accounts a set paced_until = ${pacedAfter('a', sql`(select count(*) from claimed)`)}
      where a.id = ${request.accountId} and a.per_second is not null and exists (select 1 from claimed)
    )
    select c.message_id, m.recipient, m.type, m.body, c.bulk, c.attempts,
      case when c.state = 'call' and s.recipient is not null then 'opted-out' else c.state end as state, c.has_slot, c.throttles, c.resends, c.part,
      extract(epoch from c.expires_at - now())::float8 * 1000 as ms_to_expiry,
      a.tenant_id, a.channel, a.provider, a.settings, a.lane, a.status
    from claimed c join content m on m.id = c.message_id cross join account a
    left join lateral (
      select recipient from suppressions where account_id = a.id and recipient = ${recipientKey('a', 'm')} limit 1
    ) s on true
    order by c.bulk, c.due_at`.execute(db);
  return rows.map((row) => toClaimed(row, request));
}

/**
 * The account, where something of it may be claimed now, and how many messages, in SQL. A paced account is locked, so
 * that claims that race share its pace.
 */
function accountOf({ accountId, lane, limit }: ClaimRequest) {
  const mayGo = sql`id = ${accountId} and lane = ${lane} and deleted_at is null and not blocked
    and coalesce(greatest(paused_until, paced_until) <= now(), true)`;
  return sql`
    unpaced as (select * from channel_accounts where ${mayGo} and per_second is null),
    paced_account as (select * from channel_accounts where ${mayGo} and per_second is not null for no key update),
    account as (
      select *, ${limit}::int as free from unpaced
      union all
      select *, least(${limit}::int, ${freeOf('paced_account')}) from paced_account
    )`;
}

/** Due messages of one kind, oldest first, by the index on account, kind and due time, in SQL. */
function candidates({ accountId, limit }: ClaimRequest, kind: RawBuilder<unknown>) {
  return sql`
      select d.message_id, d.bulk, d.due_at from dispatch_due d
      where d.account_id = ${accountId} and ${kind} and d.due_at <= now() and d.expires_at > now()
        and coalesce(d.claimed_until < now(), true) and exists (select 1 from account)
      order by d.due_at limit ${limit} for update of d skip locked`;
}

/** When the lease of `m`, a message of the account, ends; in SQL. */
function leaseEnd({ leaseMs }: ClaimRequest) {
  const kind = sql`case m.type when 'text' then 'text' else 'media' end`;
  const ms = sql`(${JSON.stringify(leaseMs)}::jsonb -> account.provider ->> ${kind})::float8`;
  return sql`now() + make_interval(secs => coalesce(${ms}, 10000) / 1000)`;
}

function toClaimed(row: Row, request: ClaimRequest): Claimed {
  return {
    account: {
      id: request.accountId,
      tenantId: row.tenant_id,
      channel: row.channel,
      provider: row.provider,
      settings: row.settings,
      lane: row.lane,
      status: row.status,
    },
    messageId: row.message_id,
    holder: request.holder,
    to: row.recipient,
    type: row.type,
    body: row.body,
    bulk: row.bulk,
    state: row.state,
    attempts: row.attempts,
    throttles: row.throttles,
    resends: row.resends,
    part: row.part,
    hasSlot: row.has_slot,
    msToExpiry: row.ms_to_expiry,
  };
}

/**
 * Gives back messages whose provider was never called: their attempt is not burnt, and they are due at once. With
 * `holdMs` nothing of their accounts is claimed for that long, so that they are not claimed in vain again and again.
 */
export async function releaseMessages(
  db: Db,
  claims: readonly { readonly messageId: string; readonly holder: string }[],
  holdMs = 0,
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    with mine as (
      select d.message_id, d.account_id from dispatch_due d
      join unnest(${claims.map((claim) => claim.messageId)}::uuid[], ${claims.map((claim) => claim.holder)}::uuid[])
        as c(message_id, holder) on c.message_id = d.message_id and c.holder = d.claimed_by
      where d.message_id = any (${claims.map((claim) => claim.messageId)}::uuid[])
      order by d.message_id for update of d
    ),
    released as (
      update dispatch_due d set claimed_by = null, claimed_until = null, attempt_began_at = null,
        attempts = d.attempts - 1
      where d.message_id = any (array(select message_id from mine))
    )
    update channel_accounts set
      paced_until = greatest(paced_until, now() + make_interval(secs => ${holdMs}::float8 / 1000))
    where ${holdMs}::float8 > 0 and id = any (array(select account_id from mine))`.execute(db);
}

export interface NextDue {
  readonly accountId: string;
  readonly lane: Lane;
  /** Zero when something is due now. */
  readonly delayMs: number;
}

/** When each account has something to do next; accounts with nothing, or held until somebody acts, are left out. */
export async function nextDue(db: Db, accountIds: readonly string[]): Promise<NextDue[]> {
  const { rows } = await sql<{ id: string; lane: Lane; delay_ms: number }>`
    select a.id, a.lane,
      greatest(0, ceil(extract(epoch from min(
        case when a.deleted_at is not null then greatest(now(), d.claimed_until)
          else greatest(d.due_at, d.claimed_until, a.paused_until, a.paced_until) end
      ) - now()) * 1000))::float8 as delay_ms
    from channel_accounts a
    cross join lateral (
      (select due_at, claimed_until from dispatch_due
        where account_id = a.id and not bulk and expires_at > now() order by due_at limit 300)
      union all
      (select due_at, claimed_until from dispatch_due
        where account_id = a.id and bulk and expires_at > now() order by due_at limit 300)
    ) d
    where a.id = any (${[...accountIds]}::uuid[])
      and (a.deleted_at is not null or (not a.blocked and coalesce(a.paused_until < 'infinity', true)))
    group by a.id`.execute(db);
  return rows.map((row) => ({ accountId: row.id, lane: row.lane, delayMs: row.delay_ms }));
}

/**
 * Accounts with something that has been due for `overdueMs` and that nobody works on. Walks the accounts by a loose
 * index scan: its cost grows with the number of accounts that wait, not with their messages.
 */
export async function overdueAccounts(
  db: Db,
  overdueMs: number,
): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    with recursive waiting as (
      (select account_id from dispatch_due order by account_id limit 1)
      union all
      select (select d.account_id from dispatch_due d where d.account_id > w.account_id
        order by d.account_id limit 1)
      from waiting w where w.account_id is not null
    )
    select a.id, a.lane from waiting w join channel_accounts a on a.id = w.account_id
    cross join lateral (
      select now() - make_interval(secs => ${overdueMs}::float8 / 1000) as since offset 0
    ) limits
    where a.deleted_at is not null or (
      not a.blocked and coalesce(greatest(a.paused_until, a.paced_until) <= now(), true) and (
        exists (${overdue(sql`not d.bulk`)}) or exists (${overdue(sql`d.bulk`)})
      ))`.execute(db);
  return rows;
}

function overdue(kind: RawBuilder<unknown>) {
  return sql`
          select 1 from dispatch_due d where d.account_id = a.id and ${kind} and d.due_at <= since
            and d.expires_at > now() and coalesce(d.claimed_until <= since, true)`;
}
