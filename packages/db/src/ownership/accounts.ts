import type { OwnedLane } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { AccountStatus } from '../schema/tables.ts';
import { type PartitionLease, underLease } from './partitions.ts';

/** The state of an account's connection, as its tenant sees it. Claims need the status `connected`. */
export interface ConnectionState {
  readonly status: AccountStatus;
  readonly detail: string | null;
}

/** Writes the state of the connection. False when the lease is lost. */
export function tellConnectionState(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  { status, detail }: ConnectionState,
): Promise<boolean> {
  const connected = status === 'connected';
  return underLease(
    db,
    lease,
    sql`
    told as (
      update channel_accounts set status = ${status}, status_detail = ${detail}, pause_reason = ${detail},
        ${
          connected
            ? sql`paused_until = nullif(paused_until, 'infinity'), last_connected_at = now(), failures_in_row = 0`
            : sql`paused_until = 'infinity'`
        }
      from lease where id = ${accountId}
    )`,
  );
}

/** An account as the process that holds it sees it. */
export interface OwnedAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly status: AccountStatus;
  /** Sealed. */
  readonly settings: string;
}

/** One account, of any tenant. Null when it is removed. */
export async function findOwnedAccount(db: Db, accountId: string): Promise<OwnedAccount | null> {
  const { rows } = await sql<OwnedAccount>`
    select id, tenant_id as "tenantId", status, settings from channel_accounts
    where id = ${accountId} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** The SQL about the accounts of a lane that a holder of connections needs. Each answer may be of any tenant. */
export interface OwnedAccounts {
  /** All accounts that have a connection or wait for one. */
  list(db: Db): Promise<string[]>;
  /** Those that a process must look at because of a change. Asked every few seconds, in case a wake was lost. */
  toLookAt(db: Db): Promise<string[]>;
  /** Those of `accountIds` that are gone for good. */
  gone(db: Db, accountIds: readonly string[]): Promise<string[]>;
  /**
   * The first step of a new owner: no message of these accounts is claimed until they are connected, and claims of the
   * former owner end. False when the lease is lost.
   */
  takeOver(db: Db, lease: PartitionLease, accountIds: readonly string[]): Promise<boolean>;
}

/** Part of a change under a lease: the end of the claims that the former owner of accounts can no longer work on, in SQL. */
export function endedClaims(accountIds: readonly string[]): RawBuilder<unknown> {
  return sql`ended as (
    update dispatch_due set claimed_until = now() from lease
    where account_id = any (${[...accountIds]}::uuid[]) and claimed_by is not null
  )`;
}

/**
 * The accounts of a lane, for connections that need no rows of their own: each account that is not removed is to be
 * connected.
 */
export function laneAccounts(lane: OwnedLane): OwnedAccounts {
  async function list(db: Db): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from channel_accounts where lane = ${lane} and deleted_at is null`.execute(db);
    return rows.map(({ id }) => id);
  }

  return {
    list,
    // A look at one whose row is as before costs one query and changes nothing.
    toLookAt: list,

    async gone(db, accountIds) {
      const { rows } = await sql<{ id: string }>`
        select id from unnest(${[...accountIds]}::uuid[]) as mine(id)
        where not exists (select from channel_accounts a where a.id = mine.id and a.deleted_at is null)`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },

    takeOver(db, lease, accountIds) {
      const ids = [...accountIds];
      return underLease(
        db,
        lease,
        sql`
        ${endedClaims(ids)},
        held as (
          update channel_accounts set status = 'connecting', status_detail = null,
            paused_until = 'infinity', pause_reason = 'The account is being connected.'
          from lease where id = any (${ids}::uuid[]) and lane = ${lane} and status <> 'action-required'
        )`,
      );
    },
  };
}
