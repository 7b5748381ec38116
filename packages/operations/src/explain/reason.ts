import type { DeliveryStanding, MessageStanding } from '@notify/core';

/** Why a message, or a delivery of one of its events, stands where it stands. */
export interface Reason {
  readonly code: StandingCode;
  /** One or two sentences for the tenant: no other tenant's business, no processes and no hosts. */
  readonly text: string;
  /** When this ends or what comes next is due. Null when nobody can say. */
  readonly until: Date | null;
  /** More for the operator: times, processes, places in a queue. Null when there is no more. */
  readonly detail: string | null;
}

/** What a tenant learns, and how what no longer waits has ended. */
export type StandingCode =
  | MessageStanding
  | DeliveryStanding
  | 'received'
  | 'delivered'
  | 'failed'
  | 'delivery-failed'
  | 'delivery-skipped';

/** A reason from its parts; without `until` and `detail` they are null. */
export function because(
  code: StandingCode,
  text: string,
  more: { readonly until?: Date | null; readonly detail?: string | null } = {},
): Reason {
  return { code, text, until: more.until ?? null, detail: more.detail ?? null };
}
