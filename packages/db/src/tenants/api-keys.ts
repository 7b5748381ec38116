import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from './tenant-lock.ts';

export type ApiKeyRow = Selectable<Database['api_keys']>;

export interface NewApiKey {
  readonly tenantId: string;
  readonly name: string;
  readonly hash: Buffer;
  /** The last characters of the key, by which people tell keys apart. */
  readonly hint: string;
  /** Requests per minute, instead of the default. */
  readonly rateLimitOverride: number | null;
}

/** Makes a key. Returns null when the tenant already has `maxKeys`; concurrent calls keep to the limit too. */
export async function createApiKey(db: Db, key: NewApiKey, maxKeys: number): Promise<ApiKeyRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, key.tenantId);
    const { count } = await trx
      .selectFrom('api_keys')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('tenant_id', '=', key.tenantId)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (count >= maxKeys) return null;
    return trx
      .insertInto('api_keys')
      .values({
        tenant_id: key.tenantId,
        name: key.name,
        hash: key.hash,
        hint: key.hint,
        rate_limit_override: key.rateLimitOverride,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** The keys of a tenant that are not revoked, oldest first. */
export function listApiKeys(db: Db, tenantId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Revokes a key. Returns false when the tenant has no such key. */
export async function revokeApiKey(db: Db, tenantId: string, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', keyId)
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A key that is not revoked, with the plan and the limits of its tenant. */
export interface KeyHolder {
  readonly keyId: string;
  readonly tenantId: string;
  readonly rateLimitOverride: number | null;
  /** The tenant's plan. */
  readonly plan: string;
  /** The operator blocked the tenant. */
  readonly blocked: boolean;
  /** The tenant has no plan, and its trial is over. */
  readonly trialOver: boolean;
  /** The tenant has proved that it reads mail to its address. */
  readonly emailVerified: boolean;
  readonly lastUsedAt: Date | null;
}

interface HolderRow extends KeyHolder {
  readonly hash: Buffer;
}

/** Looks keys up by their SHA-256, in the order of the hashes. Null for an unknown or revoked key. */
export async function findKeyHolders(db: Db, hashes: readonly Buffer[]): Promise<(KeyHolder | null)[]> {
  const { rows } = await sql<HolderRow>`
    select k.hash, k.id as "keyId", k.tenant_id as "tenantId", k.rate_limit_override as "rateLimitOverride",
      t.plan,
      t.blocked_at is not null as blocked, t.plan = 'trial' and t.trial_ends_at <= now() as "trialOver",
      t.email_verified_at is not null as "emailVerified",
      k.last_used_at as "lastUsedAt"
    from api_keys k join tenants t on t.id = k.tenant_id
    where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null`.execute(db);
  const byHash = new Map(rows.map(({ hash, ...holder }) => [hash.toString('hex'), holder]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')) ?? null);
}

/** Records that keys were used just now. */
export async function touchApiKeys(db: Db, keyIds: readonly string[]): Promise<void> {
  const sorted = [...new Set(keyIds)].sort();
  await sql`
    update api_keys k set last_used_at = now()
    from (select id from api_keys where id = any(${sorted}::uuid[]) order by id for no key update) locked
    where k.id = locked.id`.execute(db);
}
