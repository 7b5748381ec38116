import { type Channel, type ConsentStatus, contactAddress, highestId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { ConsentSource } from '../schema/inbound-tables.ts';
import type { ConsentAccount } from './consent.ts';
import { personKeys } from './recipient-key.ts';

/** What is known of a recipient's consent. */
export interface ConsentRow {
  readonly accountId: string;
  readonly channel: Channel;
  /** As a send takes it. */
  readonly recipient: string;
  readonly status: ConsentStatus;
  readonly source: ConsentSource;
  readonly changedAt: Date;
  /** The newest change, which orders the list. */
  readonly changeId: string;
}

/** One step of a recipient's history. */
export interface ConsentChangeRow {
  readonly status: ConsentStatus | 'removed';
  readonly source: ConsentSource;
  readonly changedAt: Date;
  readonly messageId: string | null;
  /** What the tenant noted with it. */
  readonly note: string | null;
}

export interface ConsentQuery {
  readonly tenantId: string;
  readonly accountId?: string | undefined;
  /** An address in any spelling that `contactKey` knows. */
  readonly recipient?: string | undefined;
  readonly status?: ConsentStatus | undefined;
  /** Only consents whose newest change is older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Consents of a tenant's accounts, newest change first. Those of removed accounts are left out. */
export async function listConsents(db: Db, query: ConsentQuery): Promise<ConsentRow[]> {
  const { tenantId, accountId = null, recipient = null, status = null, before = highestId, limit } = query;
  const statuses: ConsentStatus[] = status === null ? ['opted-out', 'opted-in'] : [status];
  // A tenant has few accounts. So each account and status gives its newest ones by index, and the newest of those win.
  const ofRecipient =
    recipient === null
      ? sql``
      : sql`and recipient = any (${personKeys(sql`a.id`, sql`a.channel`, recipient)})`;
  const { rows } = await sql<ConsentRow & { readonly address: string | null }>`
    select c.account_id as "accountId", a.channel, c.recipient, c.address, c.status, c.source, c.changed_at as "changedAt",
      c.change_id as "changeId"
    from channel_accounts a cross join unnest(${statuses}::text[]) wanted(status) cross join lateral (
      select * from consents where account_id = a.id and status = wanted.status and change_id < ${before}::uuid
        ${ofRecipient}
      order by change_id desc limit ${limit}
    ) c
    where a.tenant_id = ${tenantId}::uuid and a.deleted_at is null and a.id = coalesce(${accountId}::uuid, a.id)
    order by c.change_id desc limit ${limit}`.execute(db);
  return rows.map(({ address, ...row }) => ({
    ...row,
    recipient: address ?? contactAddress(row.channel, row.recipient),
  }));
}

export interface ConsentHistory {
  /** Null if nothing is known. */
  readonly current: Pick<ConsentRow, 'status' | 'source' | 'changedAt'> | null;
  /** Newest first. */
  readonly changes: readonly ConsentChangeRow[];
}

/**
 * What is known of one recipient, and the newest `limit` changes. An opt-out that a process of the version before stored
 * has no record, but claims obey it.
 */
export async function readConsent(
  db: Db,
  { id, channel }: ConsentAccount,
  recipient: string,
  limit: number,
): Promise<ConsentHistory> {
  const keys = personKeys(sql`${id}::uuid`, sql`${channel}::text`, recipient);
  const [current, changes] = await Promise.all([
    sql<NonNullable<ConsentHistory['current']>>`
      select coalesce(c.status, 'opted-out') as status, coalesce(c.source, 'earlier') as source,
        coalesce(c.changed_at, s.created_at) as "changedAt"
      from (
        select * from consents where account_id = ${id} and recipient = any (${keys}) order by changed_at desc limit 1
      ) c
      full join (
        select * from suppressions where account_id = ${id} and recipient = any (${keys}) order by created_at desc limit 1
      ) s using (account_id)`.execute(db),
    sql<ConsentChangeRow>`
      select status, source, changed_at as "changedAt", message_id as "messageId", note from consent_changes
      where account_id = ${id} and recipient = any (${keys}) order by id desc limit ${limit}`.execute(db),
  ]);
  return { current: current.rows[0] ?? null, changes: changes.rows };
}

/**
 * Whether an account has heard of an address, in any spelling: somebody wrote from it, or consented or not. So its consent can be
 * asked for and changed, even if no send takes it, such as a short code.
 */
export async function hasHeardOf(db: Db, { id, channel }: ConsentAccount, address: string): Promise<boolean> {
  const keys = personKeys(sql`${id}::uuid`, sql`${channel}::text`, address);
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from conversations where account_id = ${id} and contact = any (${keys}))
      or exists (select from consent_changes where account_id = ${id} and recipient = any (${keys}))
      or exists (select from suppressions where account_id = ${id} and recipient = any (${keys})) as known`.execute(
    db,
  );
  return rows[0]!.known;
}
