import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { ConnectionState } from '../ownership/accounts.ts';
import { type PartitionLease, underLease } from '../ownership/partitions.ts';

/** A hold on the logins of a device, and the state that its tenant sees meanwhile. */
export interface LoginHold {
  /** `asked`: until the account is unlinked. Otherwise until `afterMs` have passed and `until` is over. */
  readonly ends: 'asked' | { readonly afterMs: number; readonly until: Date | null };
  readonly state: ConnectionState;
}

/** The state of a device's logins. */
export interface LoginStanding {
  /** How long the next login must wait, in ms. Infinite when its tenant has to act. */
  readonly waitMs: number;
  /** Consecutive logins that were refused and held. */
  readonly refusals: number;
}

/** Holds the logins of a device, across restarts and changes of owner. False when the lease is lost. */
export function holdLogins(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  { ends, state }: LoginHold,
): Promise<boolean> {
  const end =
    ends === 'asked'
      ? sql`'infinity'`
      : sql`greatest(${ends.until}::timestamptz, now() + make_interval(secs => ${ends.afterMs}::float8 / 1000))`;
  return underLease(
    db,
    lease,
    sql`
    held as (
      update whatsapp_links set login_after = ${end}, login_refusals = login_refusals + 1 from lease
      where account_id = ${accountId}
    ),
    told as (
      update channel_accounts set status = ${state.status}, status_detail = ${state.detail},
        paused_until = 'infinity', pause_reason = ${state.detail}
      from lease where id = ${accountId}
    )`,
  );
}

/** The state of a device's logins, by the database's clock. */
export async function loginStanding(db: Db, accountId: string): Promise<LoginStanding> {
  const { rows } = await sql<LoginStanding>`
    select coalesce(greatest(0, ceil(extract(epoch from login_after - now()) * 1000)), 0)::float8 as "waitMs",
      login_refusals as refusals
    from whatsapp_links where account_id = ${accountId}`.execute(db);
  return rows[0] ?? { waitMs: 0, refusals: 0 };
}
