import type { Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { failWaiting } from './expire.ts';

export type Canceled =
  /** With the webhooks that have new work. */
  { readonly kind: 'canceled'; readonly webhooks: readonly Wake[] } | { readonly kind: 'not-waiting' };

/**
 * That a row `d` of `dispatch_due` may be canceled, in SQL: nobody holds it, and of no attempt so far may anything have
 * arrived.
 */
export const isCancelable = sql<boolean>`(
  d.claimed_by is null and not d.awaiting_receipt and d.part = 0 and d.resends = 0)`;

/**
 * Fails a message that waits, with `canceled`. Whoever comes first to its row of what is due decides: once it is claimed
 * it is not canceled, and once it is canceled it is not claimed.
 */
export async function cancelMessage(db: Db, tenantId: string, messageId: string): Promise<Canceled> {
  const itself = sql`d.message_id = ${messageId}::uuid and d.tenant_id = ${tenantId}::uuid and ${isCancelable}`;
  const { count, webhooks } = await failWaiting(db, 1, itself, {
    errorCode: 'canceled',
    error: 'The message was canceled.',
  });
  return count === 0 ? { kind: 'not-waiting' } : { kind: 'canceled', webhooks };
}
