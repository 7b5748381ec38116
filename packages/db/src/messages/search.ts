import type { Channel, MessageStatus } from '@notify/core';
import { timeOfId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { idRange, type Span, type Step, walkDown } from '../connection/walk-down.ts';
import { findFittingMessages, type MessageRow } from './look-up.ts';

/** An address at one account. */
export interface AddressAt {
  readonly accountId: string;
  readonly address: string;
}

/** The messages of a tenant to search. An undefined field matches all. */
export interface MessageFilter {
  readonly channel?: Channel | undefined;
  readonly direction?: 'outbound' | 'inbound' | undefined;
  readonly status?: MessageStatus | undefined;
  readonly accountId?: string | undefined;
  /** Matches any of these accounts. */
  readonly accountIds?: readonly string[] | undefined;
  /** Matches any of these recipients. Usernames of Telegram in small letters. */
  readonly recipients?: readonly string[] | undefined;
  /** With `recipients`: matches these, too. */
  readonly knownRecipients?: readonly AddressAt[] | undefined;
  /** Matches any of these people who wrote. */
  readonly senders?: readonly string[] | undefined;
  /** With `senders`: matches these, too. */
  readonly knownSenders?: readonly AddressAt[] | undefined;
  /** Whether they are scheduled for later. */
  readonly scheduled?: boolean | undefined;
  /** Accepted or received at this moment or later … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly until?: Date | undefined;
}

/** A search of a tenant's messages, and how long it may take. */
export interface MessageSearch {
  readonly tenantId: string;
  readonly filter: MessageFilter;
  /** Only messages older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** When to return the messages found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
}

/** The messages that a search has found so far, newest first. */
export interface MessagePage {
  readonly messages: readonly MessageRow[];
  /** The value of `before` that continues the search. Null when no older message is left. */
  readonly next: string | null;
}

/**
 * The matching messages, newest first. An index per filter would make every send dearer. Instead the search walks the
 * tenant's messages from the newest on, by their one index, in steps of a bounded number of rows. It ends when the page
 * is full or large, no message is left, or the budget is used up. So a page may be short or empty and still have a `next`.
 */
export async function searchMessages(db: Db, search: MessageSearch): Promise<MessagePage> {
  const { ids, next } = await db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const { filter, limit, budgetMs } = search;
    const { from, before } = idRange(filter, search.before);
    const look = filter.scheduled === true ? walkScheduled : walk;
    return walkDown({ before, limit, budgetMs, isAny: isAny(filter) }, (span) =>
      look(trx, search, { ...span, from }),
    );
  });
  const { messages, endedAt } = await findFittingMessages(db, search.tenantId, ids);
  return { messages, next: endedAt ?? next };
}

/** Whether nearly every message matches, so that the first rows are most likely the page. */
function isAny({
  direction,
  channel,
  status,
  accountId,
  accountIds,
  recipients,
  senders,
  scheduled,
}: MessageFilter): boolean {
  const filters = [channel, status, accountId, accountIds, recipients, senders, scheduled];
  return direction !== 'inbound' && filters.every((filter) => filter === undefined);
}

/** A step of a search, from this id on. */
interface Stretch extends Span {
  readonly from: string;
}

/**
 * Reads the next `rows` messages. Compares and sorts by pairs of tenant and id, which makes Postgres use the index on
 * both. The index on the id alone holds the messages of all tenants.
 */
async function walk(
  trx: Trx,
  { tenantId, filter }: MessageSearch,
  { from, before, rows, wanted }: Stretch,
): Promise<Step> {
  const { rows: found } = await sql<{ ids: string[]; next: string | null }>`
    with looked_at as materialized (
      select id, ${fits(filter)} as fits from messages
      where (tenant_id, id) < (${tenantId}::uuid, ${before}::uuid)
        and (tenant_id, id) >= (${tenantId}::uuid, ${from}::uuid)
      order by tenant_id desc, id desc limit ${rows}::int
    )
    select array(select id from looked_at where fits limit ${wanted}::int) as ids,
      (select id from looked_at offset ${rows}::int - 1) as next`.execute(trx);
  return found[0] ?? { ids: [], next: null };
}

/**
 * The same, but reads only messages that wait for a time of their own: they may be few among many. Looks at each account of
 * the tenant for the next `rows`.
 */
async function walkScheduled(
  trx: Trx,
  { tenantId, filter }: MessageSearch,
  { from, before, rows, wanted }: Stretch,
): Promise<Step> {
  const inSpan = sql`message_id < ${before}::uuid and message_id >= ${from}::uuid
          order by message_id desc limit ${rows}::int`;
  const { rows: found } = await sql<{ ids: string[]; next: string | null }>`
    with later as materialized (
      select message_id from channel_accounts a cross join lateral (
        (select message_id from scheduled_messages where account_id = a.id and ${inSpan})
        union all
        (select message_id from dispatch_due
          where account_id = a.id and bulk = any ('{f,t}') and due_at > now() and scheduled_at > now() and ${inSpan})
      ) both_places
      where a.tenant_id = ${tenantId}::uuid order by message_id desc limit ${rows}::int
    ),
    looked_at as materialized (
      select id, fits from later cross join lateral (
        select id, ${fits(filter)} as fits from messages where id = later.message_id offset 0
      ) message order by id desc
    )
    select array(select id from looked_at where fits limit ${wanted}::int) as ids,
      (select id from looked_at offset ${rows}::int - 1) as next`.execute(trx);
  return found[0] ?? { ids: [], next: null };
}

function fits(filter: MessageFilter): RawBuilder<boolean> {
  const { direction, channel, status, accountId, accountIds, recipients, senders, from, until } = filter;
  const { scheduled, knownRecipients, knownSenders } = filter;
  const inbound = direction === undefined ? null : direction === 'inbound';
  return sql`(coalesce((received_at is not null) = ${inbound}::boolean, true)
        and coalesce(channel = ${channel ?? null}::text, true)
        and coalesce(status = ${status ?? null}::text, true)
        and case when ${accountId ?? null}::uuid is null then true
          else channel_account_id is not distinct from ${accountId ?? null}::uuid end
        and case when ${accountIds === undefined ? null : [...accountIds]}::uuid[] is null then true
          else coalesce(channel_account_id = any (${accountIds === undefined ? null : [...accountIds]}::uuid[]), false) end
        and coalesce((status = 'queued' and coalesce(scheduled_at > now(), false)) = ${scheduled ?? null}::boolean, true)
        and ${isOneOf(sql`recipient`, sql`channel_account_id`, recipients, knownRecipients)}
        and ${isOneOf(sql`coalesce(sender, '')`, sql`channel_account_id`, senders, knownSenders)}
        and coalesce(created_at >= ${from ?? null}::timestamptz, true)
        and coalesce(created_at < ${until ?? null}::timestamptz, true))`;
}

/** Whether an address at an account is one of these, in SQL. True if none is asked for. */
export function isOneOf(
  address: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
  asked: readonly string[] | undefined,
  known: readonly AddressAt[] = [],
): RawBuilder<boolean> {
  if (asked === undefined) return sql`true`;
  const isAsked = sql<boolean>`${folded(address)} = any (${[...asked]}::text[])`;
  if (known.length === 0) return isAsked;
  const places = known.map((one) => `${one.accountId} ${one.address}`);
  return sql`(${isAsked} or coalesce(${accountId}::text || ' ' || ${folded(address)} = any (${places}::text[]), false))`;
}

/** An address as filters compare it, in SQL: usernames of Telegram in small letters. */
export function folded(address: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when left(${address}, 1) = '@' then lower(${address}) else ${address} end`;
}

/** The time that a search has reached if it continues before this id. */
export function searchedTo(next: string): Date {
  return new Date(timeOfId(next));
}
