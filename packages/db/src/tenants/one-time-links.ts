import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { lockTenant } from './tenant-lock.ts';
import type { TenantRow } from './tenants.ts';

/** What a link allows: to set a new password, or to verify the email address. */
export type LinkPurpose = 'password' | 'email';

export interface NewOneTimeLink {
  readonly tenantId: string;
  readonly purpose: LinkPurpose;
  /** The link goes to the tenant's email address and nowhere else, so its use proves the address. */
  readonly emailed: boolean;
  readonly validMinutes: number;
}

/** Makes a link that works once: `lnk_` and 256 random bits. Only the hash of its token is stored. */
export async function createOneTimeLink(
  db: Db,
  { tenantId, purpose, emailed, validMinutes }: NewOneTimeLink,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = `lnk_${randomBytes(32).toString('base64url')}`;
  const { expires_at: expiresAt } = await db
    .insertInto('one_time_links')
    .values({
      hash: hashOf(token),
      tenant_id: tenantId,
      purpose,
      emailed,
      expires_at: sql<Date>`now() + make_interval(mins => ${validMinutes}::int)`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt };
}

/** The tenant of a link that can be used now, or null. */
export async function findLinkedTenant(
  db: Db | Trx,
  token: string,
  purpose: LinkPurpose,
): Promise<TenantRow | null> {
  const row = await db
    .selectFrom('one_time_links')
    .innerJoin('tenants', 'tenants.id', 'one_time_links.tenant_id')
    .selectAll('tenants')
    .where('one_time_links.hash', '=', hashOf(token))
    .where('one_time_links.purpose', '=', purpose)
    .where('one_time_links.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link: the email address is verified. False if the link is unknown, used or expired. */
export function verifyEmailByLink(db: Db, token: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const used = await useLink(trx, token, 'email');
    if (used !== null) await markEmailVerified(trx, used.tenantId);
    return used !== null;
  });
}

/** Records that the tenant reads mail to its address. An earlier proof stays. */
export async function markEmailVerified(db: Db | Trx, tenantId: string): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ email_verified_at: sql<Date>`coalesce(email_verified_at, now())` })
    .where('id', '=', tenantId)
    .execute();
}

/** Ends the links to a new password that nobody has used. A changed password needs none of them. */
export async function endPasswordLinks(trx: Trx, tenantId: string): Promise<void> {
  await trx
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', 'password')
    .execute();
}

/** Removes the link, so that of two requests with it only one succeeds. Locks its tenant first. */
export async function useLink(
  trx: Trx,
  token: string,
  purpose: LinkPurpose,
): Promise<{ readonly tenantId: string; readonly emailed: boolean } | null> {
  const tenant = await findLinkedTenant(trx, token, purpose);
  if (tenant === null) return null;
  await lockTenant(trx, tenant.id);
  const used = await trx
    .deleteFrom('one_time_links')
    .where('hash', '=', hashOf(token))
    .returning('emailed')
    .executeTakeFirst();
  return used === undefined ? null : { tenantId: tenant.id, emailed: used.emailed };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
