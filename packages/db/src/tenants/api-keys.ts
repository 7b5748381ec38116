import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { isLive } from './is-live.ts';
import { lockTenant } from './tenant-lock.ts';

export type ApiKeyRow = Selectable<Database['api_keys']>;

/** A key to store. Only its hash is kept. */
export interface NewApiKey {
  readonly tenantId: string;
  readonly name: string;
  readonly hash: Buffer;
  /** The last characters of the key, by which people tell keys apart. */
  readonly hint: string;
  /** Requests per minute, instead of the default. */
  readonly rateLimitOverride: number | null;
  readonly scopes: readonly string[];
  /** The only accounts of the key. Null: all of them. */
  readonly accountIds: readonly string[] | null;
  /** Null: it ends when it is revoked. */
  readonly expiresAt: Date | null;
  /** CIDR blocks. Null: every address. */
  readonly allowedIps: readonly string[] | null;
}

/**
 * Makes a key. Returns null when the tenant already has `maxKeys`; concurrent calls keep to the limit too. Keys that
 * have ended or were replaced do not count.
 */
export async function createApiKey(db: Db, key: NewApiKey, maxKeys: number): Promise<ApiKeyRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, key.tenantId);
    if ((await countKeys(trx, key.tenantId)).current >= maxKeys) return null;
    return insertKey(trx, key);
  });
}

/** Live keys: those in use, and those that were replaced and still work for a while. */
async function countKeys(
  trx: Trx,
  tenantId: string,
): Promise<{ readonly current: number; readonly replaced: number }> {
  return trx
    .selectFrom('api_keys')
    .select([
      sql<number>`(count(*) filter (where replaced_by is null))::int`.as('current'),
      sql<number>`(count(*) filter (where replaced_by is not null))::int`.as('replaced'),
    ])
    .where('tenant_id', '=', tenantId)
    .where(isLive('api_keys'))
    .executeTakeFirstOrThrow();
}

function insertKey(trx: Trx, key: NewApiKey): Promise<ApiKeyRow> {
  return trx
    .insertInto('api_keys')
    .values({
      tenant_id: key.tenantId,
      name: key.name,
      hash: key.hash,
      hint: key.hint,
      rate_limit_override: key.rateLimitOverride,
      scopes: [...key.scopes],
      account_ids: key.accountIds === null ? null : [...key.accountIds],
      expires_at: key.expiresAt,
      allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The live keys of a tenant, oldest first. */
export function listApiKeys(db: Db, tenantId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isLive('api_keys'))
    .orderBy('id')
    .execute();
}

/** A rotation: which key, what the new one is, and for how many seconds the old one goes on. */
export interface KeyRotation {
  readonly tenantId: string;
  readonly keyId: string;
  readonly hash: Buffer;
  readonly hint: string;
  readonly overlapSeconds: number;
  /** The new key's addresses and end, from the old key's. May throw, and then nothing changes. */
  limit(old: ApiKeyRow): Pick<NewApiKey, 'expiresAt' | 'allowedIps'>;
}

/** `replaced`: by an earlier rotation. `full`: the tenant has as many replaced keys as it can have keys. */
export type Rotated = ApiKeyRow | 'unknown' | 'full' | { readonly replacedBy: string };

/**
 * Replaces a key by a new one of the same kind. The old one ends after the overlap, or at its own end if that is
 * earlier. Concurrent rotations of a key make one new key.
 */
export async function rotateApiKey(db: Db, rotation: KeyRotation, maxKeys: number): Promise<Rotated> {
  const { tenantId, keyId, hash, hint, overlapSeconds } = rotation;
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    const old = await trx
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', keyId)
      .where('tenant_id', '=', tenantId)
      .where(isLive('api_keys'))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (old === undefined) return 'unknown';
    if (old.replaced_by !== null) return { replacedBy: old.replaced_by };
    if ((await countKeys(trx, tenantId)).replaced >= maxKeys) return 'full';
    const made = await insertKey(trx, {
      tenantId,
      name: old.name,
      hash,
      hint,
      rateLimitOverride: old.rate_limit_override,
      scopes: old.scopes,
      accountIds: old.account_ids,
      ...rotation.limit(old),
    });
    await trx
      .updateTable('api_keys')
      .set({
        replaced_by: made.id,
        // Versions that know no end of keys understand a revocation.
        ...(overlapSeconds === 0 ? { revoked_at: sql<Date>`now()` } : {}),
        expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapSeconds}::int))`,
      })
      .where('id', '=', keyId)
      .execute();
    return made;
  });
}

/** Revokes a key. Returns false when the tenant has no such live key. */
export async function revokeApiKey(db: Db, tenantId: string, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', keyId)
    .where('tenant_id', '=', tenantId)
    .where(isLive('api_keys'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A live key, with the plan and the limits of its tenant. */
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
  readonly emailConfirmed: boolean;
  readonly lastUsedAt: Date | null;
  readonly scopes: readonly string[];
  /** The only accounts of the key. Null: all of them. */
  readonly accountIds: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** CIDR blocks. Null: every address. */
  readonly allowedIps: readonly string[] | null;
}

interface HolderRow extends KeyHolder {
  readonly hash: Buffer;
}

/** Looks keys up by their SHA-256, in the order of the hashes. Null for a key that is unknown or has ended. */
export async function findKeyHolders(db: Db, hashes: readonly Buffer[]): Promise<(KeyHolder | null)[]> {
  const { rows } = await sql<HolderRow>`
    select k.hash, k.id as "keyId", k.tenant_id as "tenantId", k.rate_limit_override as "rateLimitOverride",
      t.plan,
      t.blocked_at is not null as blocked, t.plan = 'trial' and t.trial_ends_at <= now() as "trialOver",
      t.email_verified_at is not null as "emailConfirmed",
      k.last_used_at as "lastUsedAt", k.scopes, k.account_ids as "accountIds", k.expires_at as "expiresAt",
      k.allowed_ips as "allowedIps"
    from api_keys k join tenants t on t.id = k.tenant_id
    where k.hash = any(${hashes}::bytea[]) and ${isLive('k')}`.execute(db);
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
