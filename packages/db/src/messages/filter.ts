import type { Channel, MessageStatus } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

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
  /** The code with which they failed. */
  readonly errorCode?: string | undefined;
  /** The provider's id. */
  readonly externalId?: string | undefined;
  /** The group of which they are routes. */
  readonly groupId?: string | undefined;
  /** The idempotency key of the request that made them, as long as it is kept. */
  readonly idempotencyKey?: string | undefined;
  /** One of their tags. */
  readonly tag?: string | undefined;
  /** Whether they are scheduled for later. */
  readonly scheduled?: boolean | undefined;
  /** Accepted or received at this moment or later … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly until?: Date | undefined;
}

/** Whether a row of `messages` matches, in SQL, but for what `namedBy` selects. */
export function fits(filter: MessageFilter): RawBuilder<boolean> {
  const { direction, channel, status, accountId, accountIds, recipients, senders, from, until } = filter;
  const { errorCode, tag, scheduled, knownRecipients, knownSenders } = filter;
  const inbound = direction === undefined ? null : direction === 'inbound';
  return sql`(coalesce((received_at is not null) = ${inbound}::boolean, true)
        and coalesce(channel = ${channel ?? null}::text, true)
        and coalesce(status = ${status ?? null}::text, true)
        ${errorCode === undefined ? sql`` : sql`and coalesce(error_code = ${errorCode}, false)`}
        ${tag === undefined ? sql`` : sql`and ${isTagged(sql`tags`, tag)}`}
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

/** Whether this is one of the tags, in SQL. */
export function isTagged(tags: RawBuilder<unknown>, tag: string): RawBuilder<boolean> {
  return sql`coalesce(${tag}::text = any (${tags}), false)`;
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

/**
 * The ids of the few messages that the filter names, in SQL: by the provider's id, the group or the idempotency key. Null if it
 * names none. The ids may be those of other tenants, or of no message.
 */
export function namedBy(
  tenantId: string,
  { accountId, externalId, groupId, idempotencyKey }: MessageFilter,
): RawBuilder<unknown> | null {
  const named = [
    ...(externalId === undefined ? [] : [ofProvider(tenantId, externalId, accountId)]),
    ...(groupId === undefined ? [] : [ofGroup(tenantId, groupId)]),
    ...(idempotencyKey === undefined ? [] : [ofRequest(tenantId, idempotencyKey)]),
  ];
  return named.length === 0 ? null : sql.join(named, sql` intersect `);
}

/**
 * A removed account is found only if the filter names it. `offset 0` keeps the range of a step out, which Postgres would follow by the
 * index on the id, through the messages of all tenants.
 */
function ofProvider(tenantId: string, externalId: string, accountId?: string): RawBuilder<unknown> {
  const accounts =
    accountId === undefined
      ? sql`array(select id from channel_accounts where tenant_id = ${tenantId}::uuid)`
      : sql`array[${accountId}::uuid]`;
  return sql`(select id from messages where channel_account_id = any (${accounts}) and external_id = ${externalId}
      offset 0)`;
}

function ofGroup(tenantId: string, groupId: string): RawBuilder<unknown> {
  return sql`(select unnest(message_ids) as id from message_groups
      where id = ${groupId}::uuid and tenant_id = ${tenantId}::uuid)`;
}

/** A key of a group stands for its first message, and that of a verification for the verification, which sends a group. */
function ofRequest(tenantId: string, key: string): RawBuilder<unknown> {
  return sql`(select unnest(coalesce(g.message_ids, array[k.message_id])) as id
      from idempotency_keys k
      left join messages m on m.id = k.message_id
      left join verifications v on v.id = k.message_id
      left join message_groups g on g.id = coalesce(m.group_id, v.group_id)
      where k.tenant_id = ${tenantId}::uuid and k.key = ${key})`;
}
