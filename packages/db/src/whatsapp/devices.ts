import { type RawBuilder, sql } from 'kysely';
import { unlinked } from '../accounts/linked-devices.ts';
import type { Db } from '../connection/connect.ts';
import { endedClaims } from '../ownership/accounts.ts';
import { type PartitionLease, underLease } from '../ownership/partitions.ts';
import type { LinkStep } from '../schema/tables.ts';

/** An account as the process that holds it sees it. */
export interface DeviceRow {
  readonly tenantId: string;
  /** Sealed. */
  readonly settings: string;
  readonly removed: boolean;
  /** The first action to take. A request to link after unlinking appears once the device is unlinked. */
  readonly wanted: 'link' | 'unlink' | null;
  readonly wantedPhone: string | null;
  /** Grows with every request to link it. */
  readonly requests: string;
  readonly linked: boolean;
  /** Sealed with the master key. */
  readonly dataKey: string | null;
  /** Sealed with the data key. */
  readonly creds: string | null;
}

/** One account, of any tenant. Null when it is gone. */
export async function findDevice(db: Db, accountId: string): Promise<DeviceRow | null> {
  const { rows } = await sql<DeviceRow>`
    select a.tenant_id as "tenantId", a.settings, a.deleted_at is not null as removed,
      case when l.wanted = 'relink' then 'unlink' else l.wanted end as wanted,
      l.wanted_phone as "wantedPhone", l.requests, l.linked_at is not null as linked, l.data_key as "dataKey", l.creds
    from whatsapp_links l join channel_accounts a on a.id = l.account_id
    where l.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** Ids of all accounts that have a device or wait for one. */
export async function listDevices(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from whatsapp_links where linked_at is not null or wanted is not null`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Accounts whose process has to link or unlink them: a request, or a removed account that is still linked. */
export async function devicesToLookAt(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.account_id as id from whatsapp_links l where l.wanted is not null
    union
    select l.account_id from whatsapp_links l join channel_accounts a on a.id = l.account_id
      where a.deleted_at is not null and l.linked_at is not null`.execute(db);
  return rows.map((row) => row.id);
}

/** The accounts among `accountIds` that no longer exist, because their tenant was deleted. */
export async function goneDevices(db: Db, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...accountIds]}::uuid[]) as mine(id)
    where not exists (select from whatsapp_links where account_id = id)`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * The first step of a new owner of a partition. Holds linked accounts until their sockets are open; an account whose
 * logins are held keeps its status detail. Ends the claims of the former owner, which can no longer work on them. False
 * when the lease is lost.
 */
export async function takeOverDevices(
  db: Db,
  lease: PartitionLease,
  accountIds: readonly string[],
): Promise<boolean> {
  const ids = [...accountIds];
  return underLease(
    db,
    lease,
    sql`
    ${endedClaims(ids)},
    held as (
      update channel_accounts a set status = 'connecting', status_detail = null,
        paused_until = 'infinity', pause_reason = 'The account is being connected.'
      from whatsapp_links l, lease
      where a.id = any (${ids}::uuid[]) and l.account_id = a.id and l.linked_at is not null
        and a.status <> 'action-required' and coalesce(l.login_after <= now(), true)
    )`,
  );
}

/** The fields of the link row to change. `shown` is sealed, and shown for `forMs`. */
export interface LinkChange {
  readonly step?: LinkStep;
  readonly shown?: { readonly sealed: string; readonly forMs: number } | null;
  readonly reason?: string | null;
  readonly phone?: string | null;
  /** The request to link that this answers, by `requests`. A newer request stays open. */
  readonly served?: string;
  /** WhatsApp has accepted a login, so the hold on logins ends. */
  readonly loggedIn?: true;
}

/** Changes the link row. False when the lease is lost. */
export function changeLink(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  change: LinkChange,
): Promise<boolean> {
  const parts: RawBuilder<unknown>[] = [sql`version = version + 1`];
  if (change.step !== undefined) parts.push(sql`step = ${change.step}`);
  if (change.shown === null) parts.push(sql`shown = null, shown_until = null`);
  else if (change.shown !== undefined)
    parts.push(
      sql`shown = ${change.shown.sealed}, shown_until = now() + make_interval(secs => ${change.shown.forMs}::float8 / 1000)`,
    );
  if (change.reason !== undefined) parts.push(sql`reason = ${change.reason}`);
  if (change.phone !== undefined) parts.push(sql`phone = ${change.phone}`);
  if (change.loggedIn === true) parts.push(sql`login_after = null, login_refusals = 0`);
  if (change.served !== undefined)
    parts.push(
      sql`wanted = case when requests = ${change.served}::bigint then nullif(wanted, 'link') else wanted end`,
      sql`wanted_phone = case when requests <> ${change.served}::bigint then wanted_phone end`,
    );
  return underLease(
    db,
    lease,
    sql`changed as (update whatsapp_links set ${sql.join(parts)} from lease where account_id = ${accountId})`,
  );
}

/** Stores the data key of a device that is about to be linked. False when the lease is lost. */
export function saveDataKey(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  dataKey: string,
): Promise<boolean> {
  return underLease(
    db,
    lease,
    sql`saved as (update whatsapp_links set data_key = ${dataKey} from lease where account_id = ${accountId})`,
  );
}

/** Stores a device's credentials. The first call makes it linked. False when the lease is lost. */
export function saveCreds(db: Db, lease: PartitionLease, accountId: string, creds: string): Promise<boolean> {
  return underLease(
    db,
    lease,
    sql`saved as (
      update whatsapp_links set creds = ${creds}, linked_at = coalesce(linked_at, now())
      from lease where account_id = ${accountId}
    )`,
  );
}

/**
 * Removes a device's credentials, keys and sent messages, and holds its account until it is linked again. A request
 * that the tenant made meanwhile stays. False when the lease is lost.
 */
export function forgetDevice(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  why: { readonly step: LinkStep; readonly reason: string | null; readonly detail: string | null },
): Promise<boolean> {
  const detail = why.detail ?? unlinked.status_detail;
  return underLease(
    db,
    lease,
    sql`
    keys as (delete from whatsapp_keys using lease where account_id = ${accountId}),
    sent as (delete from whatsapp_sent using lease where account_id = ${accountId}),
    held as (
      update channel_accounts set status = ${unlinked.status}, status_detail = ${detail},
        paused_until = 'infinity', pause_reason = ${detail}
      from lease where id = ${accountId}
    ),
    forgotten as (
      update whatsapp_links set creds = null, data_key = null, linked_at = null, phone = null, shown = null,
        shown_until = null, step = ${why.step}, reason = ${why.reason}, version = version + 1,
        login_after = null, login_refusals = 0, pushbacks = 0,
        wanted = case wanted when 'relink' then 'link' when 'unlink' then null else wanted end
      from lease where account_id = ${accountId}
    )`,
  );
}
