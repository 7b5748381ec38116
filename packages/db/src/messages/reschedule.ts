import type { Lane, Wake } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { isCancelable } from './cancel.ts';
import { isFar, isSendable } from './send-at.ts';

/** A new time for a waiting message. */
export interface Rescheduling {
  readonly tenantId: string;
  readonly messageId: string;
  readonly sendAt: Date;
  /** How far ahead `sendAt` may be. */
  readonly scheduleDays: number;
}

export type Rescheduled =
  /** `account`: to wake, so that it plans its next turn anew. Null if it is paused, or the message is due much later. */
  | { readonly kind: 'rescheduled'; readonly account: Wake | null }
  /** `sendAt` is too far in the past or in the future. */
  | { readonly kind: 'invalid-send-at' }
  /** The message is unknown, under way, or at its end. */
  | { readonly kind: 'not-waiting' }
  /** The message is a route of a group, whose other times depend on its own. */
  | { readonly kind: 'grouped' };

/**
 * Changes when a waiting message leaves, and moves its expiry along. The first to lock its row decides: a message that a turn
 * has claimed keeps its time, and one with a new time is not claimed before it. Rows move from `scheduled_messages` to
 * `dispatch_due` only, so whoever looks there first and here second misses none.
 */
export async function rescheduleMessage(db: Db, rescheduling: Rescheduling): Promise<Rescheduled> {
  const { tenantId, messageId, sendAt, scheduleDays } = rescheduling;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ sendable: boolean; lives: string; grouped: boolean }>`
      select ${isSendable(sql`${sendAt}::timestamptz`, scheduleDays)} as sendable,
        (expires_at - greatest(created_at, scheduled_at) - make_interval(secs => coalesce(postponed_ms, 0) / 1000))::text as lives,
        group_id is not null as grouped
      from messages where id = ${messageId}::uuid and tenant_id = ${tenantId}::uuid and received_at is null
      for no key update`.execute(trx);
    const [message] = rows;
    if (message === undefined) return { kind: 'not-waiting' };
    if (message.grouped) return { kind: 'grouped' };
    if (!message.sendable) return { kind: 'invalid-send-at' };
    const change: Change = {
      id: sql`${messageId}::uuid`,
      dueAt: sql`greatest(now(), ${sendAt}::timestamptz)`,
      sendAt: sql`${sendAt}::timestamptz`,
      expiresAt: sql`greatest(now(), ${sendAt}::timestamptz) + ${message.lives}::interval`,
    };
    const changed =
      (await sql<Changed>`${ofScheduled(change)}`.execute(trx)).rows[0] ??
      (await sql<Changed>`${ofDue(change)}`.execute(trx)).rows[0];
    if (changed === undefined) return { kind: 'not-waiting' };
    await sql`
      update messages set scheduled_at = ${change.sendAt}, postponed_ms = null, expires_at = ${change.expiresAt}, updated_at = greatest(now(), updated_at)
      where id = ${change.id}`.execute(trx);
    const account = await sql<{ lane: Lane }>`
      select lane from channel_accounts where id = ${changed.account_id} and not ${isFar(change.sendAt)}
        and not blocked and coalesce(greatest(paused_until, paced_until) <= now(), true)`.execute(trx);
    const lane = account.rows[0]?.lane;
    return { kind: 'rescheduled', account: lane === undefined ? null : { id: changed.account_id, lane } };
  });
}

/** The new times of a message, in SQL. */
interface Change {
  readonly id: RawBuilder<string>;
  readonly dueAt: RawBuilder<Date>;
  readonly sendAt: RawBuilder<Date>;
  readonly expiresAt: RawBuilder<Date>;
}

interface Changed {
  account_id: string;
}

/** Changes a message that is due much later. If it is due soon from now on, it moves. */
function ofScheduled({ id, dueAt, sendAt, expiresAt }: Change): RawBuilder<unknown> {
  return sql`
    with present as (select message_id from scheduled_messages where message_id = ${id} for update),
    stayed as (
      update scheduled_messages set due_at = ${sendAt}, expires_at = ${expiresAt}
      where message_id in (select message_id from present) and ${isFar(sendAt)}
      returning account_id
    ),
    taken as (
      delete from scheduled_messages where message_id in (select message_id from present) and not ${isFar(sendAt)}
      returning message_id, account_id, tenant_id, bulk
    ),
    moved as (
      insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at, scheduled_at)
      select message_id, account_id, tenant_id, bulk, ${dueAt}, ${expiresAt}, ${sendAt} from taken
      returning account_id
    )
    select account_id from stayed union all select account_id from moved`;
}

/** Changes a message that waits for its turn. The time of its recipient's pace and the end of its quiet hours go: they belong to the old time. */
function ofDue({ id, dueAt, sendAt, expiresAt }: Change): RawBuilder<unknown> {
  return sql`
    update dispatch_due d set due_at = ${dueAt}, expires_at = ${expiresAt}, scheduled_at = ${sendAt}, has_slot = false,
      quiet_until = null
    where message_id = ${id} and ${isCancelable}
    returning account_id`;
}
