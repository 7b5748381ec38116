import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { LinkStep } from '../schema/tables.ts';

/** The place that an account's QR or pairing code is sealed for. The runtime's `Place` fits. */
export interface LinkPlace {
  readonly tenantId: string;
  readonly table: 'whatsapp_links';
  readonly row: string;
  readonly column: 'shown';
}

/** The state of an account's linking, as its tenant may see it. */
export interface LinkRow {
  readonly step: LinkStep;
  /** The last request, until it is done. */
  readonly wanted: 'link' | 'unlink' | null;
  /** The QR or pairing code, sealed at `linkPlace`; null when there is none or it has expired. */
  readonly shown: string | null;
  readonly shownUntil: Date | null;
  /** The linked number by its digits. */
  readonly phone: string | null;
  /** Why linking failed. */
  readonly reason: string | null;
  /** WhatsApp takes no first messages to new contacts until then. */
  readonly restrictedUntil: Date | null;
  /** New contacts written to in the last 24 hours. */
  readonly newContacts: number;
  /** Grows with every change of the row. */
  readonly version: string;
}

/** The result of a request to link. `linked`: the account is linked already, and nothing has to be done. */
export type LinkRequest = 'requested' | 'linked';

/** The place that an account's QR or pairing code is sealed for. */
export function linkPlace(tenantId: string, accountId: string): LinkPlace {
  return { tenantId, table: 'whatsapp_links', row: accountId, column: 'shown' };
}

/** The state of one account's linking. Null when the tenant has no such account, or it is of another provider. */
export async function findLink(db: Db, tenantId: string, accountId: string): Promise<LinkRow | null> {
  const { rows } = await sql<LinkRow>`
    select case when l.wanted = 'relink' then 'idle' else l.step end as step,
      case when l.wanted = 'relink' then 'link' else l.wanted end as wanted, l.phone, l.reason, l.version,
      case when l.restricted_until > now() then l.restricted_until end as "restrictedUntil",
      case when l.shown_until > now() then l.shown end as shown,
      case when l.shown_until > now() then l.shown_until end as "shownUntil",
      (select count(*)::int from whatsapp_contacts c where c.account_id = l.account_id
        and c.first_sent_at > now() - interval '1 day') as "newContacts"
    from whatsapp_links l join channel_accounts a on a.id = l.account_id
    where l.account_id = ${accountId} and l.tenant_id = ${tenantId} and a.deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/**
 * Requests that the account be linked, by QR or, with `phone` (digits), by a code to type on that phone. A running
 * attempt starts again. An account that is being unlinked is linked afterwards. The caller must then wake the account's
 * turn. Null when the tenant has no such account.
 */
export async function requestLink(
  db: Db,
  tenantId: string,
  accountId: string,
  phone: string | null,
): Promise<LinkRequest | null> {
  const { rows } = await sql<{ stays: boolean }>`
    with mine as (
      select l.account_id, l.linked_at is not null as linked,
        l.linked_at is not null and l.wanted is distinct from 'unlink' and l.wanted is distinct from 'relink' as stays
      from whatsapp_links l
      join channel_accounts a on a.id = l.account_id
      where l.account_id = ${accountId} and l.tenant_id = ${tenantId} and a.deleted_at is null
      for update of l
    ),
    asked as (
      update whatsapp_links l set wanted = case when linked then 'relink' else 'link' end,
        wanted_phone = ${phone}, requests = l.requests + 1, step = 'idle', reason = null, shown = null, shown_until = null,
        version = l.version + 1
      from mine where l.account_id = mine.account_id and not stays
    )
    select stays from mine`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return row.stays ? 'linked' : 'requested';
}

/**
 * Requests that the device be logged out and its keys removed. A running attempt to link it ends. The caller must then
 * wake the account's turn. False when the tenant has no such account.
 */
export async function requestUnlink(db: Db, tenantId: string, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update whatsapp_links l set wanted = 'unlink', wanted_phone = null, shown = null, shown_until = null,
      version = l.version + 1
    from channel_accounts a where a.id = l.account_id and a.deleted_at is null
      and l.account_id = ${accountId} and l.tenant_id = ${tenantId}`.execute(db);
  return numAffectedRows === 1n;
}
