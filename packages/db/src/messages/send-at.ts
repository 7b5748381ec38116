import { sendAtGraceMs } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/*
 * Rules about the time that a sender chose, in SQL, so that the database's clock decides.
 */

/**
 * Messages that are due within this time wait in `dispatch_due`, later ones in `scheduled_messages`. Long enough to move a
 * million messages that are due at the same moment, and to survive the loss of the process that moves them.
 */
const soon = sql`interval '1 minute'`;

/** When a message is soon due. */
export const soonUntil = sql<Date>`(now() + ${soon})`;

/** Whether a message with this time waits in `scheduled_messages`. Never null. */
export function isFar(sendAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`coalesce(${sendAt} > ${soonUntil}, false)`;
}

/** Whether a sender may choose this time. Never null. */
export function isSendable(sendAt: RawBuilder<unknown>, days: number): RawBuilder<boolean> {
  return sql`coalesce(${sendAt} between now() - make_interval(secs => ${sql.lit(sendAtGraceMs / 1_000)})
    and now() + make_interval(days => ${days}::int), true)`;
}

/**
 * Whether the account's next turn, if one is planned, comes before this time. A wake with a delay would not bring a later
 * turn forward (`packages/queue/src/waker.ts`), so without this the account is woken at once, and plans its next turn anew.
 */
export function isNothingLaterPlanned(
  accountId: RawBuilder<unknown>,
  dueAt: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`not exists (
    select from dispatch_due planned where planned.account_id = ${accountId} and planned.bulk = any ('{f,t}')
      and planned.due_at > ${dueAt}
  )`;
}
