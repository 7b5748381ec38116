import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { lockTenant } from './tenant-lock.ts';
import type { TenantRow } from './tenants.ts';

/** What a link allows: to set a new password, or to confirm the email address. */
export type LinkPurpose = 'password' | 'email';

export interface NewOneTimeLink {
  readonly tenantId: string;
  readonly purpose: LinkPurpose;
  /** The link goes to the tenant's email address and nowhere else, so its use proves the address. */
  readonly emailed: boolean;
  readonly validMinutes: number;
  /** With it a link of the purpose `email` makes this the tenant's address. The token ends with it. */
  readonly newEmail?: string;
}

/**
 * Makes a link that works once: `lnk_`, 256 random bits, and a new address if there is one. Only the hash of its token is
 * stored, so nobody can put another address behind it.
 */
export async function createOneTimeLink(
  db: Db | Trx,
  { tenantId, purpose, emailed, validMinutes, newEmail }: NewOneTimeLink,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const address = newEmail === undefined ? '' : `.${Buffer.from(newEmail).toString('base64url')}`;
  const token = `lnk_${randomBytes(32).toString('base64url')}${address}`;
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

/**
 * Makes a link that is mailed to the tenant's address and nowhere else, so its use proves the address. Null if the address is
 * another one by now: the mail would go to the old mailbox.
 */
export function createMailedLink(
  db: Db,
  { email, ...link }: Omit<NewOneTimeLink, 'emailed' | 'newEmail'> & { readonly email: string },
): Promise<{ readonly token: string } | null> {
  return db.transaction().execute(async (trx) => {
    // A change of the address takes the same lock, and ends the links that were made before it.
    await lockTenant(trx, link.tenantId);
    const tenant = await trx
      .selectFrom('tenants')
      .select('id')
      .where('id', '=', link.tenantId)
      .where('email_key', '=', sql<string>`lower(${email})`)
      .executeTakeFirst();
    return tenant === undefined ? null : createOneTimeLink(trx, { ...link, emailed: true });
  });
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

/**
 * Uses a link: the email address is confirmed, and before that changed, if the link is for another one. `invalid`: the link is
 * unknown, used or expired. `email-taken`: another tenant has got the new address meanwhile.
 */
export function confirmEmailByLink(db: Db, token: string): Promise<'done' | 'invalid' | 'email-taken'> {
  return orTaken(
    db.transaction().execute(async (trx) => {
      const used = await useLink(trx, token, 'email');
      if (used === null) return 'invalid';
      const [, address] = token.split('.');
      if (address !== undefined) {
        const email = Buffer.from(address, 'base64url').toString();
        return storeEmail(trx, used.tenantId, email, true);
      }
      await confirmEmail(trx, used.tenantId);
      return 'done';
    }),
  );
}

/** A new address that somebody asked for. */
export interface EmailChange {
  readonly tenantId: string;
  readonly newEmail: string;
  /** The hash that the password was checked against. Null if an operator asks, without the password. */
  readonly passwordHash: string | null;
}

/**
 * Gives the tenant another email address at once. Every link that was made for the old one ends. The new one counts as
 * confirmed only if the caller says so, or if it is the old one in another spelling of its case. `superseded`: the password was changed meanwhile, and nothing is done.
 */
export function changeEmail(
  db: Db,
  { tenantId, newEmail, passwordHash, isConfirmed = false }: EmailChange & { readonly isConfirmed?: boolean },
): Promise<'done' | 'email-taken' | 'superseded'> {
  return orTaken(
    db.transaction().execute(async (trx) => {
      if (!(await hasPassword(trx, tenantId, passwordHash))) return 'superseded';
      return storeEmail(trx, tenantId, newEmail, isConfirmed);
    }),
  );
}

/**
 * Makes a link, for the mailbox of the new address, that changes the email address of the tenant. It replaces an earlier one
 * of its kind, and ends when the password changes. `superseded`: that has happened meanwhile, and nothing is done.
 */
export function createEmailChangeLink(
  db: Db,
  { tenantId, newEmail, passwordHash }: EmailChange,
  validMinutes: number,
): Promise<{ readonly token: string; readonly expiresAt: Date } | 'superseded'> {
  return db.transaction().execute(async (trx) => {
    if (!(await hasPassword(trx, tenantId, passwordHash))) return 'superseded';
    await endChangeLinks(trx, tenantId);
    // It is not mailed to the tenant's address, so it proves another one.
    return createOneTimeLink(trx, { tenantId, purpose: 'email', emailed: false, validMinutes, newEmail });
  });
}

/** Whether the tenant's password is still the one of this hash, if one is given. Locks the tenant, so that it stays so. */
async function hasPassword(trx: Trx, tenantId: string, passwordHash: string | null): Promise<boolean> {
  await lockTenant(trx, tenantId);
  if (passwordHash === null) return true;
  const tenant = await trx
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', tenantId)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst();
  return tenant !== undefined;
}

async function storeEmail(
  trx: Trx,
  tenantId: string,
  email: string,
  isConfirmed: boolean,
): Promise<'done' | 'email-taken'> {
  await lockTenant(trx, tenantId);
  const confirmed = isConfirmed ? sql<Date>`now()` : sql<null>`null`;
  const { numUpdatedRows } = await trx
    .updateTable('tenants')
    .set({
      email,
      email_verified_at: sql`case when email_key = lower(${email}) then coalesce(email_verified_at, ${confirmed})
        else ${confirmed} end`,
    })
    .where('id', '=', tenantId)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('tenants as other')
            .select('other.id')
            .where('other.email_key', '=', sql<string>`lower(${email})`)
            .where('other.id', '!=', tenantId),
        ),
      ),
    )
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return 'email-taken';
  // They were mailed to the old address, or confirm it.
  await trx.deleteFrom('one_time_links').where('tenant_id', '=', tenantId).execute();
  return 'done';
}

/** Of two tenants that take an address at once, the unique index refuses one. */
async function orTaken<T>(change: Promise<T>): Promise<T | 'email-taken'> {
  return change.catch((error: unknown) => {
    if (isUniqueViolation(error)) return 'email-taken' as const;
    throw error;
  });
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Records that the tenant reads mail to its address. An earlier proof stays. */
export async function confirmEmail(db: Db | Trx, tenantId: string): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ email_verified_at: sql<Date>`coalesce(email_verified_at, now())` })
    .where('id', '=', tenantId)
    .execute();
}

/**
 * Ends the links that nobody has used and that a change of the password makes void: those to a new password, and those to
 * another email address, which somebody who knew the old password may have asked for.
 */
export async function endPasswordLinks(trx: Trx, tenantId: string): Promise<void> {
  await trx
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', 'password')
    .execute();
  await endChangeLinks(trx, tenantId);
}

/** Of the links of the purpose `email`, only those to another address are not mailed to the tenant's. */
async function endChangeLinks(trx: Trx, tenantId: string): Promise<void> {
  await trx
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', 'email')
    .where('emailed', '=', false)
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
