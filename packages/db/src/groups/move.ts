import {
  canceledCode,
  type Channel,
  expiredCode,
  type GroupMove,
  type GroupStatus,
  moveGroup,
  type Wake,
} from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { acceptOne } from '../messages/accept.ts';
import type { MadeBy } from '../messages/accept-statement.ts';
import { laterThan } from '../messages/insert-events.ts';
import {
  type ReachedStatus,
  type StatusChange,
  writeStatusChanges,
  type WrittenChanges,
} from '../messages/status-changes.ts';
import { rulesOfNext } from './accept.ts';
import { tellGroup } from './events.ts';
import {
  factsOf,
  type LockedGroup,
  lockGroup,
  type ReadGroup,
  readGroup,
  type UnreadReceipts,
} from './facts.ts';
import { routeItem, routeSeconds } from './route-item.ts';

/** What a move needs to know beside the database. */
export interface MoveTerms {
  /** Whether the provider ever reports a delivery on the channel. */
  readonly reports: (provider: string, channel: Channel) => boolean;
  /** The senders' `traceparent` is handed on with the events. */
  readonly traced: boolean;
}

/** What a move leaves to do once it is committed. */
export interface Moved {
  readonly status: GroupStatus;
  /** Whether the group has this status since this move. */
  readonly isNew: boolean;
  readonly accounts: readonly Wake[];
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Receipts to apply before the group can move on. */
  readonly unread: UnreadReceipts | null;
}

/**
 * Looks at a group and moves it, in one transaction: gives up its current route, begins the next, or ends it. Null if another transaction
 * is moving it, or it is gone: then what calls for a look is still there for later.
 */
export async function moveGroupOn(db: Db, groupId: string, terms: MoveTerms): Promise<Moved | null> {
  return transact(db, async (trx, commit) => {
    const group = await lockGroup(trx, groupId, 'skip locked');
    if (group === null) return commit(forgetRemoved(trx, groupId));
    const read = await readGroup(trx, group, terms.traced);
    const move = moveGroup(factsOf(group, read, terms.reports));
    const stopped = await stop(trx, group, read, move);
    const begun = move.next === null ? null : await beginNext(trx, group, terms);
    const last = writeGroup(trx, { group, read, move, begun });
    const told = await commit(last);
    const isUnread = move.lookAgain === 'receipts';
    return {
      status: move.status,
      isNew: move.status !== group.status,
      accounts: begun?.accounts ?? [],
      webhooks: [...stopped.webhooks, ...(begun?.webhooks ?? []), ...told],
      reached: stopped.reached,
      unread: isUnread ? read.unread : null,
    };
  });
}

/** Takes away what calls for a group that was removed. */
async function forgetRemoved(trx: Statements, groupId: string): Promise<null> {
  await sql`
    delete from group_due where group_id = ${groupId}::uuid
      and not exists (select from message_groups where id = ${groupId}::uuid)`.execute(trx);
  return null;
}

/**
 * Ends a group in a transaction of the caller's: what waits of it is canceled, and no further route begins. A call in progress is not
 * repeated. Tells no event of the group. Locks the group, then its messages, then a due row. Null if the group is gone.
 */
export async function endGroup(
  trx: Statements,
  groupId: string,
  traced = false,
): Promise<Pick<Moved, 'webhooks' | 'reached'> | null> {
  const group = await lockGroup(trx, groupId, 'wait');
  if (group === null) return null;
  const read = await readGroup(trx, group, traced);
  const move = moveGroup({ ...factsOf(group, read, () => true), ended: true });
  const { webhooks, reached } = await stop(trx, group, read, move, true);
  const told = await writeGroup(trx, { group: { ...group, quiet: true }, read, move, begun: null });
  return { webhooks: [...webhooks, ...told], reached };
}

const nothing: WrittenChanges = { webhooks: [], reached: [], groups: [] };

/** Stops the current message, if it is to be sent no more. */
async function stop(
  trx: Statements,
  group: LockedGroup,
  read: ReadGroup,
  move: GroupMove,
  byCaller = false,
): Promise<WrittenChanges> {
  const messageId = group.messageIds.at(-1)!;
  if (move.stop === null) return nothing;
  if (move.stop === 'no-repeat') {
    // A claim takes no message that has expired, so its call is the last.
    await sql`
      update dispatch_due set expires_at = least(expires_at, now()) where message_id = ${messageId}::uuid`.execute(
      trx,
    );
    return nothing;
  }
  const isUnknown = read.place?.unknown ?? true;
  const isQueued = read.messages.get(messageId)?.status === 'queued';
  const changes = isQueued ? [stopChange(messageId, isUnknown, move, byCaller)] : [];
  const [written] = await Promise.all([
    writeStatusChanges(trx, read.messages, changes, true),
    sql`delete from dispatch_due where message_id = ${messageId}::uuid`.execute(trx),
    sql`delete from scheduled_messages where message_id = ${messageId}::uuid`.execute(trx),
  ]);
  return written;
}

function stopChange(
  messageId: string,
  isUnknown: boolean,
  { status }: GroupMove,
  byCaller: boolean,
): StatusChange {
  const failed = (errorCode: string, error: string): StatusChange => ({
    messageId,
    change: { kind: 'failed', errorCode },
    error,
  });
  if (isUnknown)
    return failed(
      'outcome-unknown',
      'The provider never responded. The message may or may not have been sent.',
    );
  if (byCaller) return failed(canceledCode, 'The message was canceled.');
  if (status === 'delivered') return failed(canceledCode, 'Another route of its group was delivered.');
  return failed(expiredCode, 'The message was not sent in time.');
}

/** The route that begins. */
interface Begun {
  readonly messageId: string;
  /** Whether its message could not even wait. */
  readonly failed: boolean;
  readonly accounts: readonly Wake[];
  readonly webhooks: readonly Wake[];
}

/** Stores the message of the next route. Null if nothing of the tenant may be stored now. */
async function beginNext(trx: Statements, group: LockedGroup, { traced }: MoveTerms): Promise<Begun | null> {
  const at = group.messageIds.length;
  const seconds = routeSeconds(group.advanceAfter, group.secondsLeft, at === group.routes.length - 1);
  const of = { groupId: group.id, tenantId: group.tenantId };
  const madeBy = await makerOf(trx, group);
  const item = { ...routeItem(of, group.routes[at]!, seconds), madeBy, labels: group.labels };
  const rules = traced ? { ...rulesOfNext, traceparents: [group.traceparent] } : rulesOfNext;
  const accepted = await acceptOne(trx, item, rules);
  const [result] = accepted.results;
  if (result?.kind === 'accepted') return { ...accepted, messageId: result.message.id, failed: false };
  // Its account was removed meanwhile. As an item of a bulk call it is stored as failed, and the group goes on.
  const kept = await acceptOne(trx, { ...item, bulk: true }, rules);
  const [failed] = kept.results;
  return failed?.kind === 'failed' ? { ...kept, messageId: failed.message.id, failed: true } : null;
}

/** What the first message shows of the request that made the group. */
async function makerOf(trx: Statements, { messageIds }: LockedGroup): Promise<MadeBy> {
  const { rows } = await sql<MadeBy>`
    select api_key_id as "apiKeyId", idempotency_key as "idempotencyKey" from messages
    where id = ${messageIds[0]}::uuid`.execute(trx);
  return rows[0] ?? { apiKeyId: null, idempotencyKey: null };
}

interface Writing {
  readonly group: LockedGroup;
  readonly read: ReadGroup;
  readonly move: GroupMove;
  readonly begun: Begun | null;
}

/** Writes the row of the group, when to look at it again, and its event. All statements go out together. */
async function writeGroup(trx: Statements, { group, read, move, begun }: Writing): Promise<readonly Wake[]> {
  const event = group.quiet ? null : eventOf(group, move);
  const messageIds = begun === null ? group.messageIds : [...group.messageIds, begun.messageId];
  const leftFor = begun === null || move.next === null ? group.leftFor : [...group.leftFor, move.next];
  const [, , webhooks] = await Promise.all([
    sql`
      update message_groups set status = ${move.status}::text, updated_at = ${laterThan(sql`updated_at`)},
        delivered_twice = delivered_twice or ${move.deliveredTwice}::bool,
        ended_at = case when ${move.ended}::bool then coalesce(ended_at, now()) end,
        message_ids = ${messageIds}::uuid[], left_for = ${leftFor}::text[],
        route_ends_at = coalesce((select expires_at from messages where id = ${begun?.messageId ?? null}::uuid), route_ends_at),
        quiet = ${group.quiet}::bool, told = told || ${event === null ? [] : [event]}::text[]
      where id = ${group.id}::uuid`.execute(trx),
    callAgain(trx, group, lookAgainAt(read, move, begun)),
    event === null ? [] : tellGroup(trx, { groupId: group.id, event, sequence: group.told.length + 1 }),
  ]);
  return webhooks;
}

function eventOf(group: LockedGroup, { status }: GroupMove) {
  if (status !== 'delivered' && status !== 'failed') return null;
  const event = `group.${status}` as const;
  return group.told.includes(event) ? null : event;
}

/** A sender that may store nothing now is asked again after this time. */
const barred = sql`now() + interval '1 minute'`;
const soon = sql`now() + interval '1 second'`;

/** When to look at the group again, in SQL; null for never. */
function lookAgainAt({ place }: ReadGroup, move: GroupMove, begun: Begun | null): RawBuilder<unknown> | null {
  if (move.next !== null && begun === null) return barred;
  if (begun?.failed === true) return sql`now()`;
  switch (move.lookAgain) {
    case 'route-end':
      return sql`route_ends_at`;
    case 'lease-end':
      return sql`${place?.leaseEndsAt ?? null}::timestamptz + interval '100 milliseconds'`;
    case 'receipts':
      return soon;
    case null:
      return null;
  }
}

async function callAgain(trx: Statements, group: LockedGroup, at: RawBuilder<unknown> | null): Promise<void> {
  if (at === null) return;
  await sql`
    insert into group_due (group_id, tenant_id, due_at)
    select id, tenant_id, ${at} from message_groups where id = ${group.id}::uuid`.execute(trx);
}
