import { expiredCode, type Wake } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { type ReachedStatus, type StatusChange, lockMessages, writeStatusChanges } from './status-changes.ts';

export interface Ended {
  readonly count: number;
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move. */
  readonly groups: readonly Wake[];
}

interface Ending {
  message_id: string;
  /** A provider had been given the message, in this attempt or before a resend, and its outcome is unknown. */
  unknown: boolean;
}

/**
 * Fails up to `limit` messages whose lifetime is over and that no turn holds. Includes those of held accounts. Here and
 * below, `traced` has the senders' `traceparent` handed on with the events.
 */
export async function failExpired(db: Db, limit: number, traced = false): Promise<Ended> {
  return failWaiting(
    db,
    limit,
    sql`d.expires_at <= now() and not (d.awaiting_receipt and d.due_at > now())`,
    {
      errorCode: expiredCode,
      error: 'The message was not sent before it expired.',
    },
    traced,
  );
}

/** Fails up to `limit` waiting messages of a removed account, scheduled ones first. Zero when none is left. */
export async function failRemoved(db: Db, accountId: string, limit: number, traced = false): Promise<Ended> {
  const condition = sql`d.account_id = ${accountId} and exists (
    select 1 from channel_accounts a where a.id = d.account_id and a.deleted_at is not null)`;
  const reason = { errorCode: 'channel-account-removed', error: 'The channel account was removed.' };
  const scheduled = await failWaiting(db, limit, condition, reason, traced, scheduledPlace);
  return scheduled.count > 0 ? scheduled : failWaiting(db, limit, condition, reason, traced);
}

/** Where messages wait. In its SQL, `d` is the row of one. */
export interface WaitingPlace {
  readonly table: RawBuilder<unknown>;
  /** Whether no turn holds it. */
  readonly isFree: RawBuilder<boolean>;
  /** Whether a provider may have been given it. */
  readonly isUnknown: RawBuilder<boolean>;
}

/** Messages that turns claim when they are due. */
export const duePlace: WaitingPlace = {
  table: sql.table('dispatch_due'),
  isFree: sql`coalesce(d.claimed_until < now(), true)`,
  isUnknown: sql`(d.claimed_by is not null or d.awaiting_receipt or d.resends > 0)`,
};

/** Messages that are due much later. A row only ever moves from here to `dispatch_due`. */
export const scheduledPlace: WaitingPlace = {
  table: sql.table('scheduled_messages'),
  isFree: sql`true`,
  isUnknown: sql`false`,
};

/** Fails waiting messages whose row `d` meets the condition and that no turn holds. */
export async function failWaiting(
  db: Db,
  limit: number,
  condition: ReturnType<typeof sql>,
  reason: { readonly errorCode: string; readonly error: string },
  traced: boolean,
  { table, isFree, isUnknown } = duePlace,
): Promise<Ended> {
  return db.transaction().execute(async (trx) => {
    const candidates = await sql<{ message_id: string }>`
      select d.message_id from ${table} d where ${condition} and ${isFree} limit ${limit}`.execute(trx);
    if (candidates.rows.length === 0) return { count: 0, webhooks: [], reached: [], groups: [] };
    const messages = await lockMessages(
      trx,
      candidates.rows.map((row) => row.message_id),
      { traced },
    );
    const ended = await sql<Ending>`
      with ending as (
        select d.message_id from ${table} d
        where d.message_id = any (${[...messages.keys()]}::uuid[]) and ${condition} and ${isFree}
        order by d.message_id for update
      )
      delete from ${table} d using ending e where d.message_id = e.message_id
      returning d.message_id, ${isUnknown} as unknown`.execute(trx);
    const written = await writeStatusChanges(
      trx,
      messages,
      ended.rows.map((row) => toStatusChange(row, reason)),
    );
    return { count: ended.rows.length, ...written };
  });
}

function toStatusChange(
  row: Ending,
  reason: { readonly errorCode: string; readonly error: string },
): StatusChange {
  if (row.unknown)
    return {
      messageId: row.message_id,
      change: { kind: 'failed', errorCode: 'outcome-unknown' },
      error: 'The provider never responded. The message may or may not have been sent.',
    };
  return {
    messageId: row.message_id,
    change: { kind: 'failed', errorCode: reason.errorCode },
    error: reason.error,
  };
}
