import {
  advance,
  type Change,
  type Channel,
  type EventKind,
  type MessageState,
  type MessageStatus,
  timeOfId,
  type Wake,
} from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { bool, int, jsonb, text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { MessageReceipt } from '../schema/tables.ts';
import { callGroups } from './call-groups.ts';
import { idInOrder, insertEvents, laterThan, webhooksToWake } from './insert-events.ts';

/** A message, and the trace that its sender wishes. */
export interface Traced {
  readonly id: string;
  /** The sender's, if it gave one and traces were on. Null where it is not read. */
  readonly traceparent: string | null;
}

/** A message, locked until the transaction ends. */
export interface LockedMessage extends MessageState, Traced {
  readonly accountId: string | null;
  readonly externalId: string | null;
  /** The group of which it is a route. */
  readonly groupId: string | null;
  /** Whether it has metadata or tags. */
  readonly labelled: boolean;
}

/** A change of a message, and the other fields to write on it. */
export interface StatusChange {
  readonly messageId: string;
  /** Null when only the fields below are written. */
  readonly change: Change | null;
  readonly externalId?: string | null;
  /** Kept with a failure, for people. */
  readonly error?: string;
  readonly attempts?: number;
  readonly segments?: number | null;
  readonly parts?: number;
  readonly possibleDuplicate?: boolean;
  /** Kept with the message, up to `maxReports`. */
  readonly receipt?: MessageReceipt;
}

/** The most receipts kept of a message. A provider that sends more is repeating itself. */
const maxReports = 20;

/** How to lock messages. */
export interface Locking {
  /** `skip locked` leaves out those it would wait for. Default `wait`. */
  readonly whenLocked?: 'wait' | 'skip locked';
  /**
   * Whether to read the senders' `traceparent`, and to hand it on with events. Default false: then the column may be
   * missing, as before an update.
   */
  readonly traced?: boolean;
}

/**
 * Locks the messages in id order. Every transaction keeps to that order. Messages that people wrote are left out: nothing
 * changes them.
 */
export async function lockMessages(
  trx: Statements,
  ids: readonly string[],
  { whenLocked = 'wait', traced = false }: Locking = {},
): Promise<Map<string, LockedMessage>> {
  const { rows } = await sql<LockedRow>`
    select id, channel_account_id, external_id, status, error_code, read_at is not null as read, parts,
      delivered_parts, emitted, group_id, metadata is not null or tags is not null as labelled${traced ? sql`, traceparent` : sql``}
    from messages where id = any (${[...new Set(ids)].sort()}::uuid[]) and received_at is null order by id
    for update ${whenLocked === 'wait' ? sql`` : sql`skip locked`}`.execute(trx);
  return new Map(rows.map((row) => [row.id, toLocked(row)]));
}

interface LockedRow {
  id: string;
  channel_account_id: string | null;
  external_id: string | null;
  status: MessageStatus;
  error_code: string | null;
  read: boolean;
  parts: number;
  delivered_parts: number[];
  emitted: EventKind[];
  group_id: string | null;
  labelled: boolean;
  traceparent?: string | null;
}

function toLocked(row: LockedRow): LockedMessage {
  return {
    id: row.id,
    accountId: row.channel_account_id,
    externalId: row.external_id,
    status: row.status,
    errorCode: row.error_code,
    read: row.read,
    parts: row.parts,
    deliveredParts: row.delivered_parts,
    emitted: row.emitted,
    groupId: row.group_id,
    labelled: row.labelled,
    traceparent: row.traceparent ?? null,
  };
}

/** A message's fields after all changes of this transaction, and the events that report them. */
interface Written {
  message: LockedMessage;
  events: { kind: EventKind; status: MessageStatus; errorCode: string | null }[];
  error: string | null;
  attempts: number | null;
  segments: number | null;
  possibleDuplicate: boolean;
  reports: readonly MessageReceipt[];
}

/** A status that a message has reached. Each comes once in its life, together with its event. */
export interface ReachedStatus {
  /** Null for a message without an account. */
  readonly channel: Channel | null;
  readonly provider: string | null;
  readonly status: EventKind;
  /** Set if it failed. */
  readonly errorCode: string | null;
  /** The time since the message was made, in ms, by the database's clock. */
  readonly ageMs: number;
}

/** What a transaction writes of status changes. It counts once the transaction is committed. */
export interface WrittenChanges {
  /** Webhooks with new work. */
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move, because a message of theirs has changed. */
  readonly groups: readonly Wake[];
}

/**
 * Applies changes to locked messages, in the order given: writes status, times, events with increasing `sequence` and
 * their deliveries in this transaction. Updates `messages`, so the caller sees the new state. Has the groups of the messages
 * looked at, unless the caller moves them itself (`movesGroups`).
 */
export async function writeStatusChanges(
  trx: Statements,
  messages: Map<string, LockedMessage>,
  changes: readonly StatusChange[],
  movesGroups = false,
): Promise<WrittenChanges> {
  const written = new Map<string, Written>();
  for (const one of changes) apply(messages, written, one);
  const rows = [...written.values()].sort((a, b) => (a.message.id < b.message.id ? -1 : 1));
  if (rows.length === 0) return { webhooks: [], reached: [], groups: [] };
  const grouped = rows.filter(({ message }) => message.groupId !== null).map(({ message }) => message.id);
  const [told, groups] = await Promise.all([
    writeMessages(trx, rows, rows.flatMap(toEvents), grouped.length > 0),
    grouped.length === 0 || movesGroups ? [] : callGroups(trx, grouped),
  ]);
  return { ...told, groups };
}

function apply(messages: Map<string, LockedMessage>, written: Map<string, Written>, one: StatusChange): void {
  const message = messages.get(one.messageId);
  if (message === undefined) return;
  const before = { ...message, parts: one.parts ?? message.parts };
  const { state, changed, events } =
    one.change === null ? { state: before, changed: false, events: [] } : advance(before, one.change);
  const previous = written.get(message.id);
  const failed = changed && state.status === 'failed';
  const next: LockedMessage = {
    ...before,
    ...state,
    externalId: message.externalId ?? one.externalId ?? null,
  };
  messages.set(message.id, next);
  written.set(message.id, {
    message: next,
    events: [
      ...(previous?.events ?? []),
      ...events.map((kind) => ({
        kind,
        status: statusAt(kind),
        errorCode: kind === 'failed' ? state.errorCode : null,
      })),
    ],
    error: failed ? (one.error ?? null) : (previous?.error ?? null),
    attempts: one.attempts ?? previous?.attempts ?? null,
    segments: one.segments ?? previous?.segments ?? null,
    possibleDuplicate: (one.possibleDuplicate ?? false) || (previous?.possibleDuplicate ?? false),
    reports: [...(previous?.reports ?? []), ...(one.receipt === undefined ? [] : [one.receipt])].slice(
      0,
      maxReports,
    ),
  });
}

/** The status that an event of this kind reports. */
function statusAt(kind: EventKind): MessageStatus {
  return kind === 'read' ? 'delivered' : kind;
}

/** What the statement answers besides the webhooks: what no row in memory says of the messages. */
interface WrittenRow {
  webhooks: Wake[] | null;
  accounts: { id: string; channel: Channel; provider: string }[] | null;
  /** In ms since 1970. */
  now: number;
}

/**
 * Writes the messages, their events, and a delivery for each subscribed webhook. Returns those webhooks. Uses one
 * statement: `messages` is large, and finding its rows again for the events would cost as much as writing them.
 */
async function writeMessages(
  trx: Statements,
  messages: readonly Written[],
  events: readonly NewEvent[],
  grouped: boolean,
): Promise<Omit<WrittenChanges, 'groups'>> {
  const changes = unnestRows('e', events, {
    message_id: uuid((one) => one.messageId),
    event: text((one) => `message.${one.kind}`),
    status: text((one) => one.status),
    sequence: int((one) => one.sequence),
  });
  const traced = messages.some(({ message }) => message.traceparent !== null);
  const labelled = messages.some(({ message }) => message.labelled);
  const more = sql`${traced ? sql`, m.traceparent` : sql``}${grouped ? sql`, m.group_id` : sql``}${labelled ? sql`, m.metadata, m.tags` : sql``}`;
  const told = sql`
        select ${idInOrder(sql`m.updated_at`, sql`e.sequence`)} as event_id, e.event, e.sequence,
          m.tenant_id, e.message_id, m.channel_account_id as account_id, m.channel, m.recipient, m.type, e.status, m.external_id, m.error,
          case when e.event = 'message.failed' then m.error_code end as error_code, m.possible_duplicate${more}
        from ${changes} join written m on m.id = e.message_id`;
  const { rows } = await sql<WrittenRow>`
    with written as (${updated(messages, more)}), ${insertEvents(told, { traced, grouped, labelled })}
    select (select json_agg(woken) from (${webhooksToWake}) woken) as webhooks,
      (select json_agg(json_build_object('id', id, 'channel', channel, 'provider', provider)) from channel_accounts
        where id = any (array(select distinct channel_account_id from written))) as accounts,
      extract(epoch from now())::float8 * 1000 as now`.execute(trx);
  return { webhooks: rows[0]!.webhooks ?? [], reached: messages.flatMap((one) => reachedBy(one, rows[0]!)) };
}

function reachedBy({ message, events }: Written, { accounts, now }: WrittenRow): ReachedStatus[] {
  const account = accounts?.find(({ id }) => id === message.accountId);
  return events.map(({ kind, errorCode }) => ({
    channel: account?.channel ?? null,
    provider: account?.provider ?? null,
    status: kind,
    errorCode,
    ageMs: now - timeOfId(message.id),
  }));
}

/** `more`: further columns to return, each after a comma. */
function updated(rows: readonly Written[], more: RawBuilder<unknown>): RawBuilder<unknown> {
  const changes = unnestRows('w', rows, {
    id: uuid((row) => row.message.id),
    status: text((row) => row.message.status),
    error_code: text((row) => row.message.errorCode),
    error: text((row) => row.error),
    external_id: text((row) => row.message.externalId),
    parts: int((row) => row.message.parts),
    delivered_parts: text((row) => `{${row.message.deliveredParts.join(',')}}`),
    emitted: text((row) => `{${row.message.emitted.join(',')}}`),
    read: bool((row) => row.message.read),
    attempts: int((row) => row.attempts),
    segments: int((row) => row.segments),
    possible_duplicate: bool((row) => row.possibleDuplicate),
    reports: jsonb((row) => (row.reports.length === 0 ? null : row.reports)),
  });
  return sql`
    update messages m set
      status = w.status,
      error_code = w.error_code,
      error = case when w.error_code is null then null else coalesce(w.error, m.error) end,
      external_id = coalesce(m.external_id, w.external_id),
      parts = w.parts,
      delivered_parts = w.delivered_parts::smallint[],
      emitted = w.emitted::text[],
      attempts = coalesce(w.attempts, m.attempts),
      segments = coalesce(w.segments, m.segments),
      possible_duplicate = m.possible_duplicate or w.possible_duplicate,
      reports = case when w.reports is null or jsonb_array_length(m.reports) >= ${maxReports}::int then m.reports
        else m.reports || w.reports end,
      updated_at = ${laterThan(sql`m.updated_at`)},
      sent_at = case when w.status in ('sent', 'delivered') then coalesce(m.sent_at, now()) else m.sent_at end,
      delivered_at = case when w.status = 'delivered' then coalesce(m.delivered_at, now()) else m.delivered_at end,
      read_at = case when w.read then coalesce(m.read_at, now()) else m.read_at end,
      failed_at = case when w.status = 'failed' then coalesce(m.failed_at, now()) end
    from ${changes}
    where m.id = w.id and m.id = any (${rows.map((row) => row.message.id)}::uuid[])
    returning m.id, m.tenant_id, m.channel_account_id, m.channel, m.recipient, m.type, m.external_id, m.error,
      m.error_code, m.possible_duplicate, m.updated_at${more}`;
}

interface NewEvent {
  readonly messageId: string;
  readonly kind: EventKind;
  readonly status: MessageStatus;
  readonly sequence: number;
}

function toEvents({ message, events }: Written): NewEvent[] {
  const before = message.emitted.length - events.length;
  return events.map(({ kind, status }, index) => ({
    messageId: message.id,
    kind,
    status,
    sequence: before + index + 1,
  }));
}
