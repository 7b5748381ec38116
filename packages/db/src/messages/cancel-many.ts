import type { Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { canceled, isCancelable } from './cancel.ts';
import { failWaiting, scheduledPlace } from './expire.ts';
import { isOneOf, isTagged, type MessageFilter } from './filter.ts';
import type { ReachedStatus } from './status-changes.ts';

/** The waiting messages of a tenant to cancel. An undefined field matches all. */
export interface WaitingFilter extends Pick<
  MessageFilter,
  | 'channel'
  | 'accountId'
  | 'accountIds'
  | 'recipients'
  | 'knownRecipients'
  | 'tag'
  | 'from'
  | 'until'
  | 'scheduled'
> {
  /** Scheduled for this moment or later … */
  readonly scheduledFrom?: Date | undefined;
  /** … and before this one. A message that was to leave at once is not scheduled for any. */
  readonly scheduledUntil?: Date | undefined;
}

/** The longest search for waiting messages, in ms. */
const searchMs = 20_000;

/**
 * Up to `limit` messages of the tenant that wait, match and can be canceled. Looks at those that wait, in no order; only what
 * is asked of a message beside them is read from `messages`.
 */
export async function findWaiting(
  db: Db,
  tenantId: string,
  filter: WaitingFilter,
  limit: number,
): Promise<string[]> {
  const { channel, accountId, accountIds, recipients, tag, from, until } = filter;
  const { scheduled, scheduledFrom, scheduledUntil, knownRecipients } = filter;
  const array = (values: readonly string[] | undefined) => (values === undefined ? null : [...values]);
  const readsMessages = [recipients, tag, from, until].some((one) => one !== undefined);
  const message = sql`
    cross join lateral (
      select from messages m where m.id = w.message_id
        and ${isOneOf(sql`m.recipient`, sql`a.id`, recipients, knownRecipients)}
        ${tag === undefined ? sql`` : sql`and ${isTagged(sql`m.tags`, tag)}`}
        and coalesce(m.created_at >= ${from ?? null}::timestamptz, true)
        and coalesce(m.created_at < ${until ?? null}::timestamptz, true)
      offset 0
    ) fitting`;
  return db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    await sql`select set_config('statement_timeout', ${String(searchMs)}, true)`.execute(trx);
    const { rows } = await sql<{ message_id: string }>`
      with account as materialized (
        select id from channel_accounts where tenant_id = ${tenantId}::uuid
          and coalesce(channel = ${channel ?? null}::text, true)
          and coalesce(id = ${accountId ?? null}::uuid, true)
          and coalesce(id = any (${array(accountIds)}::uuid[]), true)
      )
      select w.message_id from account a cross join lateral (
        select message_id, due_at as scheduled_at from scheduled_messages where account_id = a.id
        union all
        select message_id, scheduled_at from dispatch_due d where account_id = a.id and ${isCancelable}
      ) w ${readsMessages ? message : sql``}
      where coalesce(coalesce(w.scheduled_at > now(), false) = ${scheduled ?? null}::boolean, true)
        and case when ${scheduledFrom ?? null}::timestamptz is null then true
          else coalesce(w.scheduled_at >= ${scheduledFrom ?? null}::timestamptz, false) end
        and case when ${scheduledUntil ?? null}::timestamptz is null then true
          else coalesce(w.scheduled_at < ${scheduledUntil ?? null}::timestamptz, false) end
      limit ${limit}`.execute(trx);
    return rows.map((row) => row.message_id);
  });
}

/** What a batch of canceled messages leaves to do: webhooks to wake, and statuses to count. */
export interface CanceledBatch {
  readonly count: number;
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move. */
  readonly groups: readonly Wake[];
}

/**
 * Cancels those of the messages that still wait, in one transaction for each place where they wait. As with `cancelMessage`,
 * the first to lock a row decides. Rows move from `scheduled_messages` to `dispatch_due`, so the order misses none.
 */
export async function cancelWaiting(
  db: Db,
  tenantId: string,
  messageIds: readonly string[],
  traced = false,
): Promise<CanceledBatch> {
  const these = sql`d.message_id = any (${[...messageIds]}::uuid[]) and d.tenant_id = ${tenantId}::uuid`;
  const limit = messageIds.length;
  const later = await failWaiting(db, limit, these, canceled, traced, scheduledPlace);
  if (later.count === limit) return later;
  const now = await failWaiting(db, limit, sql`${these} and ${isCancelable}`, canceled, traced);
  return {
    count: later.count + now.count,
    webhooks: [...later.webhooks, ...now.webhooks],
    reached: [...later.reached, ...now.reached],
    groups: [...later.groups, ...now.groups],
  };
}
