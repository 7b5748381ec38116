import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { earlierKeyOf, keysOf, recipientKey } from '../consents/recipient-key.ts';
import type { MessageRow } from '../messages/look-up.ts';
import {
  type AccountFacts,
  type AheadFacts,
  type DueFacts,
  type MessageFacts,
  mostCounted,
  type RecipientFacts,
} from './facts.ts';

type Place = Pick<
  MessageFacts,
  'now' | 'sendsHeldSince' | 'tenant' | 'account' | 'due' | 'ahead' | 'recipient'
>;

/** The message's tenant, account, due row and recipient, and how many messages go before it. */
export async function readPlace(trx: Trx, message: MessageRow): Promise<Place> {
  const rows = await readRows(trx, message);
  const { due } = rows;
  const ahead = due === null ? { ofItsKind: 0, singles: 0 } : await countAhead(trx, message, due);
  const recipient = due === null ? { optedOut: false, slowedUntil: null } : await readRecipient(trx, message);
  return { ...rows, ahead, recipient };
}

interface Row {
  now: Date;
  held_since: Date | null;
  tenant: { id: string; name: string; blockedAt: string | null } | null;
  account: Timed<AccountFacts> | null;
  due: Timed<DueFacts> | null;
}

/** As JSON has it: times are texts. */
type Timed<Facts> = {
  [Key in keyof Facts]: Facts[Key] extends Date
    ? string
    : Date extends Facts[Key]
      ? string | null
      : Facts[Key];
};

async function readRows(
  trx: Trx,
  message: MessageRow,
): Promise<Pick<Place, 'now' | 'sendsHeldSince' | 'tenant' | 'account' | 'due'>> {
  const { rows } = await sql<Row>`
    select now() as now, (select held_since from sends_hold) as held_since,
      (select json_build_object('id', id, 'name', name, 'blockedAt', blocked_at)
        from tenants where id = ${message.tenant_id}::uuid) as tenant,
      (select json_build_object('id', id, 'name', name, 'channel', channel, 'provider', provider, 'status', status,
          'statusDetail', status_detail, 'lane', lane, 'failuresInRow', failures_in_row,
          'pausedUntil', nullif(paused_until, 'infinity'), 'held', coalesce(paused_until = 'infinity', false),
          'pauseReason', pause_reason, 'blocked', blocked, 'perSecond', per_second, 'pacedUntil', paced_until,
          'removedAt', deleted_at)
        from channel_accounts where id = ${message.channel_account_id}::uuid) as account,
      (select json_build_object('bulk', bulk, 'dueAt', due_at, 'expiresAt', expires_at,
          'lease', case when claimed_by is not null
            then json_build_object('holder', claimed_by, 'until', claimed_until) end,
          'attempts', attempts, 'resends', resends, 'part', part, 'awaitingReceipt', awaiting_receipt,
          'hasRecipientTime', has_slot, 'quietUntil', quiet_until)
        from (
          select bulk, due_at, expires_at, claimed_by, claimed_until, attempts, resends, part, awaiting_receipt, has_slot, quiet_until
          from dispatch_due where message_id = ${message.id}::uuid
          union all
          select bulk, due_at, expires_at, null, null, 0, 0, 0, false, false, null
          from scheduled_messages where message_id = ${message.id}::uuid
        ) waiting) as due`.execute(trx);
  const { now, held_since: sendsHeldSince, tenant, account, due } = rows[0]!;
  return {
    now,
    sendsHeldSince,
    tenant: tenant === null ? null : { ...tenant, blockedAt: dateOf(tenant.blockedAt) },
    account: account === null ? null : accountOf(account),
    due: due === null ? null : dueOf(due),
  };
}

function accountOf(account: Timed<AccountFacts>): AccountFacts {
  return {
    ...account,
    pausedUntil: dateOf(account.pausedUntil),
    pacedUntil: dateOf(account.pacedUntil),
    removedAt: dateOf(account.removedAt),
  };
}

function dueOf(due: Timed<DueFacts>): DueFacts {
  const { lease } = due;
  return {
    ...due,
    dueAt: new Date(due.dueAt),
    expiresAt: new Date(due.expiresAt),
    quietUntil: dateOf(due.quietUntil),
    lease: lease === null ? null : { holder: lease.holder, until: new Date(lease.until) },
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** Walks the index of the account's turns from its oldest row. The limit bounds the rows that it reads. */
async function countAhead(trx: Trx, message: MessageRow, due: DueFacts): Promise<AheadFacts> {
  const ofItsKind = ahead(message, due.bulk ? sql`bulk` : sql`not bulk`, sql`due_at < ${due.dueAt}`);
  const singles = ahead(message, sql`not bulk`, sql`due_at <= now()`);
  const { rows } = await sql<AheadFacts>`
    select (${ofItsKind}) as "ofItsKind", ${due.bulk ? sql`(${singles})` : sql`0`} as singles`.execute(trx);
  return rows[0]!;
}

function ahead(
  { channel_account_id: accountId, id }: MessageRow,
  kind: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select count(*) filter (
      where message_id <> ${id}::uuid and expires_at > now() and coalesce(claimed_until < now(), true)
    )::int
    from (
      select message_id, expires_at, claimed_until from dispatch_due
      where account_id = ${accountId}::uuid and ${kind} and ${since} and due_at <= now()
      order by due_at limit ${mostCounted}
    ) first`;
}

async function readRecipient(trx: Trx, message: MessageRow): Promise<RecipientFacts> {
  const { rows } = await sql<RecipientFacts>`
    with m as (
      select ${message.channel_account_id}::uuid as account_id, ${message.channel}::text as channel,
        ${message.recipient}::text as recipient
    ),
    addressed as (
      select m.account_id, m.channel, m.recipient, ${recipientKey('m', 'm')} as contact, (
        select contact_key(m.channel, address) from moved_contacts v
        where v.account_id = m.account_id and v.contact = ${recipientKey('m', 'm')}
      ) as moved
      from m
    )
    select exists (
        select from suppressions s where s.account_id = a.account_id and s.recipient = any (
          ${keysOf(sql`a.channel`, sql`a.contact`)} || ${keysOf(sql`a.channel`, sql`a.moved`)}
            || ${earlierKeyOf(sql`a.channel`, sql`a.recipient`)}
        )
      ) as "optedOut",
      (select slow_until from conversations c
        where c.account_id = a.account_id and c.contact = coalesce(a.moved, a.contact) and slow_until > now()
      ) as "slowedUntil"
    from addressed a`.execute(trx);
  return rows[0]!;
}
