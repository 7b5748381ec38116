import { type RawBuilder, sql } from 'kysely';
import type { AccountStatus } from '../schema/tables.ts';

/** What is known of an account's settings when they are stored, or after its provider was asked. */
export type Verdict =
  /** The provider accepted them. */
  | { readonly kind: 'passed' }
  /** The provider was not asked, or gave no answer that tells. `detail` says why, if the tenant expects an answer. */
  | { readonly kind: 'unchecked'; readonly detail: string | null }
  /** The provider rejected them. `detail` has its words. */
  | { readonly kind: 'refused'; readonly detail: string };

/** The columns that a verdict changes. */
export interface StateColumns {
  readonly status: AccountStatus;
  readonly status_detail: string | null;
  readonly paused_until: RawBuilder<Date> | null;
  readonly pause_reason: string | null;
  readonly failures_in_row?: number;
  readonly last_connected_at?: RawBuilder<Date>;
}

/** Ends a pause that the provider or a broken connection caused. A block by the operator is stored apart and stays. */
const working = {
  status: 'connected',
  status_detail: null,
  paused_until: null,
  pause_reason: null,
  failures_in_row: 0,
} as const;

/**
 * The columns of an account's state after a verdict. Messages of a refused account wait until somebody acts. `unchecked`: the
 * status if nobody knows whether the settings work. Messages are sent with either one.
 */
export function stateAfter(verdict: Verdict, unchecked: 'connected' | 'connecting'): StateColumns {
  switch (verdict.kind) {
    case 'passed':
      return { ...working, last_connected_at: sql<Date>`now()` };
    case 'unchecked':
      return { ...working, status: unchecked, status_detail: verdict.detail };
    case 'refused':
      return {
        status: 'action-required',
        status_detail: verdict.detail,
        paused_until: sql<Date>`'infinity'`,
        pause_reason: verdict.detail,
      };
  }
}
