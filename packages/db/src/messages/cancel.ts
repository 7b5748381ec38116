import { canceledCode, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { failWaiting, scheduledPlace } from './expire.ts';
import type { ReachedStatus } from './status-changes.ts';

/** Whether a message was canceled. `not-waiting`: it is unknown, under way, or at its end. */
export type Canceled =
  /** `webhooks`: those with new work. */
  | {
      readonly kind: 'canceled';
      readonly webhooks: readonly Wake[];
      readonly reached: readonly ReachedStatus[];
      /** Tenants with groups to move. */
      readonly groups: readonly Wake[];
    }
  | { readonly kind: 'not-waiting' };

/**
 * Whether a row `d` of `dispatch_due` may be canceled, in SQL: no turn holds it, and none of its attempts so far can
 * have reached the recipient.
 */
export const isCancelable = sql<boolean>`(
  d.claimed_by is null and not d.awaiting_receipt and d.part = 0 and d.resends = 0)`;

/** Why a canceled message failed. */
export const canceled = { errorCode: canceledCode, error: 'The message was canceled.' } as const;

/**
 * Fails a waiting message with `canceled`. The first to lock its due row decides: a claimed message cannot be canceled,
 * and a canceled one cannot be claimed. `accountIds`: the only accounts whose messages may be canceled; null: all. `traced`: as with `failExpired`.
 */
export async function cancelMessage(
  db: Db,
  tenantId: string,
  messageId: string,
  accountIds: readonly string[] | null = null,
  traced = false,
): Promise<Canceled> {
  const itself = sql`d.message_id = ${messageId}::uuid and d.tenant_id = ${tenantId}::uuid
    and (${accountIds}::uuid[] is null or d.account_id = any (${accountIds}::uuid[]))`;
  const scheduled = await failWaiting(db, 1, itself, canceled, traced, scheduledPlace);
  const { count, ...ended } =
    scheduled.count > 0
      ? scheduled
      : await failWaiting(db, 1, sql`${itself} and ${isCancelable}`, canceled, traced);
  return count === 0 ? { kind: 'not-waiting' } : { kind: 'canceled', ...ended };
}
