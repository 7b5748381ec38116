import type { Channel, GroupEventName, GroupFacts, GroupStatus, Labels, LeftFor } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { type LockedMessage, lockMessages } from '../messages/status-changes.ts';
import type { StoredRoute } from '../schema/group-tables.ts';

/** A group, locked until the transaction ends. */
export interface LockedGroup {
  readonly id: string;
  readonly tenantId: string;
  readonly routes: readonly StoredRoute[];
  readonly messageIds: readonly string[];
  readonly leftFor: readonly LeftFor[];
  readonly status: GroupStatus;
  readonly ended: boolean;
  readonly told: readonly GroupEventName[];
  readonly quiet: boolean;
  readonly advanceAfter: number;
  readonly traceparent: string | null;
  readonly labels: Labels;
  readonly routeOver: boolean;
  /** Whole seconds until the lifetime of the group is over; zero or less if it is. */
  readonly secondsLeft: number;
}

/** Locks a group. Null if it is gone or, with `skip locked`, if another transaction has it. */
export async function lockGroup(
  trx: Statements,
  groupId: string,
  whenLocked: 'wait' | 'skip locked',
): Promise<LockedGroup | null> {
  const { rows } = await sql<LockedGroup>`
    select id, tenant_id as "tenantId", routes, message_ids as "messageIds", left_for as "leftFor", status, told, quiet, traceparent,
      json_build_object('metadata', metadata, 'tags', tags) as labels,
      ended_at is not null as ended, advance_after as "advanceAfter", route_ends_at <= now() as "routeOver",
      floor(extract(epoch from expires_at - now()))::int as "secondsLeft"
    from message_groups where id = ${groupId}::uuid for update ${whenLocked === 'wait' ? sql`` : sql`skip locked`}`.execute(
    trx,
  );
  return rows[0] ?? null;
}

/** Where the current message of a group waits, or is in a call. */
export interface DuePlace {
  readonly inCall: boolean;
  /** Whether a provider may have been given it. */
  readonly unknown: boolean;
  readonly leaseEndsAt: Date | null;
}

/** Receipts of a group's messages that are not applied yet. */
export interface UnreadReceipts {
  readonly ids: readonly string[];
  readonly external: readonly { readonly accountId: string; readonly externalId: string }[];
}

/** Everything that decides about a group, read under the locks of its messages and their due rows. */
export interface ReadGroup {
  readonly messages: Map<string, LockedMessage>;
  /** Null if the current message is to be sent no more. */
  readonly place: DuePlace | null;
  readonly unread: UnreadReceipts;
  /** Of the current route, even if its account was removed meanwhile. Null if nothing is left of the account. */
  readonly provider: string | null;
}

/**
 * Reads a locked group: takes away what called for this look, then locks the messages, then the current one's due row. In this order
 * no change is missed: who calls later than the first statement leaves a row for the next look. All statements go out together.
 */
export async function readGroup(trx: Statements, group: LockedGroup, traced: boolean): Promise<ReadGroup> {
  const current = group.messageIds.at(-1)!;
  const [, messages, due, scheduled, provider, unread] = await Promise.all([
    sql`delete from group_due where group_id = ${group.id}::uuid`.execute(trx),
    lockMessages(trx, group.messageIds, { traced }),
    lockDue(trx, current),
    lockScheduled(trx, current),
    findProvider(trx, group.routes[group.messageIds.length - 1]!.accountId),
    findUnread(trx, group.messageIds),
  ]);
  return { messages, place: due ?? scheduled, provider, unread };
}

async function lockDue(trx: Statements, messageId: string): Promise<DuePlace | null> {
  const { rows } = await sql<DuePlace>`
    select claimed_by is not null and claimed_until >= now() as "inCall",
      claimed_by is not null or awaiting_receipt or resends > 0 as unknown, claimed_until as "leaseEndsAt"
    from dispatch_due where message_id = ${messageId}::uuid for update`.execute(trx);
  return rows[0] ?? null;
}

async function lockScheduled(trx: Statements, messageId: string): Promise<DuePlace | null> {
  const { rows } = await sql<DuePlace>`
    select false as "inCall", false as unknown, null as "leaseEndsAt"
    from scheduled_messages where message_id = ${messageId}::uuid for update`.execute(trx);
  return rows[0] ?? null;
}

async function findProvider(trx: Statements, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ provider: string }>`
    select provider from channel_accounts where id = ${accountId}::uuid`.execute(trx);
  return rows[0]?.provider ?? null;
}

interface UnreadRow {
  id: string;
  account_id: string;
  external_id: string | null;
}

/** How long a receipt that names a message by the provider's id keeps a group waiting, if it cannot be applied. */
const patience = sql`interval '1 minute'`;

async function findUnread(trx: Statements, messageIds: readonly string[]): Promise<UnreadReceipts> {
  const ids: RawBuilder<unknown> = sql`${[...messageIds]}::uuid[]`;
  const { rows } = await sql<UnreadRow>`
    select id, account_id, null as external_id from receipts
    where apply_at <= now() and message_id = any (${ids})
    union all
    select r.id, r.account_id, r.external_id from messages m join receipts r
      on r.account_id = m.channel_account_id and r.external_id = m.external_id
    where m.id = any (${ids}) and r.message_id is null and r.received_at > now() - ${patience}`.execute(trx);
  return {
    ids: rows.flatMap((row) => (row.external_id === null ? row.id : [])),
    external: rows.flatMap(({ account_id: accountId, external_id: externalId }) =>
      externalId === null ? [] : { accountId, externalId },
    ),
  };
}

/** The facts about a group for the decision. `reports`: whether a provider ever reports a delivery on a channel. */
export function factsOf(
  group: LockedGroup,
  { messages, place, unread, provider }: ReadGroup,
  reports: (provider: string, channel: Channel) => boolean,
): GroupFacts {
  return {
    ended: group.ended,
    messages: group.messageIds.map((id) => messages.get(id) ?? lost),
    routesLeft: group.routes.length - group.messageIds.length,
    routeOver: group.routeOver,
    groupOver: group.secondsLeft < 1,
    inCall: place?.inCall ?? false,
    waits: place?.inCall === false,
    reports: provider === null || reports(provider, group.routes[group.messageIds.length - 1]!.channel),
    unreadReceipts: unread.ids.length + unread.external.length > 0,
  };
}

/** Instead of a message whose row was removed. */
const lost = { status: 'failed', errorCode: null } as const;
