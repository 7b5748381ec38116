import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { isLive } from './is-live.ts';
import { lockTenant } from './tenant-lock.ts';

export type ServiceTokenRow = Selectable<Database['service_tokens']>;

/** A token to store. Only its hash is kept. */
export interface NewServiceToken {
  readonly tenantId: string;
  readonly name: string;
  readonly hash: Buffer;
  /** The last characters of the token, by which people tell tokens apart. */
  readonly hint: string;
  readonly scopes: readonly string[];
  /** Null: it ends when it is revoked. */
  readonly expiresAt: Date | null;
  /** CIDR blocks. Null: every address. */
  readonly allowedIps: readonly string[] | null;
}

/** Makes a token. Returns null when the tenant already has `maxTokens` that have not ended. */
export async function createServiceToken(
  db: Db,
  token: NewServiceToken,
  maxTokens: number,
): Promise<ServiceTokenRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, token.tenantId);
    const { count } = await trx
      .selectFrom('service_tokens')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('tenant_id', '=', token.tenantId)
      .where(isLive('service_tokens'))
      .executeTakeFirstOrThrow();
    if (count >= maxTokens) return null;
    return trx
      .insertInto('service_tokens')
      .values({
        tenant_id: token.tenantId,
        name: token.name,
        hash: token.hash,
        hint: token.hint,
        scopes: [...token.scopes],
        expires_at: token.expiresAt,
        allowed_ips: token.allowedIps === null ? null : [...token.allowedIps],
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** The tokens of a tenant that have not ended, oldest first. */
export function listServiceTokens(db: Db, tenantId: string): Promise<ServiceTokenRow[]> {
  return db
    .selectFrom('service_tokens')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isLive('service_tokens'))
    .orderBy('id')
    .execute();
}

/** Revokes a token. Returns false when the tenant has no such live token. */
export async function revokeServiceToken(db: Db, tenantId: string, tokenId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('service_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', tokenId)
    .where('tenant_id', '=', tenantId)
    .where(isLive('service_tokens'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A token that has not ended, with the permissions of its tenant. */
export interface TokenHolder {
  readonly tokenId: string;
  readonly tenantId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** CIDR blocks. Null: every address. */
  readonly allowedIps: readonly string[] | null;
  /** The tenant's plan. */
  readonly plan: string;
  /** The operator blocked the tenant. */
  readonly blocked: boolean;
  /** The last use that is stored is missing or a minute old. */
  readonly isUseDue: boolean;
}

/** Looks a token up by its SHA-256. Null if it is unknown or has ended. */
export async function findTokenHolder(db: Db, hash: Buffer): Promise<TokenHolder | null> {
  const { rows } = await sql<TokenHolder>`
    select s.id as "tokenId", s.tenant_id as "tenantId", s.scopes, s.expires_at as "expiresAt",
      s.allowed_ips as "allowedIps", t.plan, t.blocked_at is not null as blocked,
      coalesce(s.last_used_at < now() - interval '1 minute', true) as "isUseDue"
    from service_tokens s join tenants t on t.id = s.tenant_id
    where s.hash = ${hash} and ${isLive('s')}`.execute(db);
  return rows[0] ?? null;
}

/** Records that a token was used just now, unless another request has. */
export async function touchServiceToken(db: Db, tokenId: string): Promise<void> {
  await db
    .updateTable('service_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', tokenId)
    .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
    .execute();
}
