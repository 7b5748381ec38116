import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, int, text, unnestRows } from '../connection/rows.ts';

/** The rules of a tenant for one prefix. */
export interface PrefixLimit {
  readonly prefix: string;
  /** Null: as every other prefix. */
  readonly startsPerHour: number | null;
  readonly guarded: boolean;
  /** Null if it is not held. */
  readonly heldUntil: Date | null;
}

export interface StoredLimits {
  /** For every prefix without its own limit. Null: the service's default. */
  readonly startsPerHour: number | null;
  /** Those with their own rules, and those that are held. */
  readonly prefixes: readonly PrefixLimit[];
}

export async function readLimits(db: Db, tenantId: string): Promise<StoredLimits> {
  const { rows } = await sql<PrefixLimit>`
    select prefix, starts_per_hour as "startsPerHour", guarded,
      case when held_until > now() then held_until end as "heldUntil"
    from verification_limits
    where tenant_id = ${tenantId}::uuid
      and (starts_per_hour is not null or not guarded or held_until > now())
    order by length(prefix), prefix`.execute(db);
  return {
    startsPerHour: rows.find(({ prefix }) => prefix === '')?.startsPerHour ?? null,
    prefixes: rows.filter(({ prefix }) => prefix !== ''),
  };
}

/** New rules for one prefix. */
export interface NewPrefixLimit {
  readonly prefix: string;
  readonly startsPerHour: number | null;
  readonly guarded: boolean;
  readonly release: boolean;
}

/**
 * Replaces the rules of a tenant. Prefixes that are left out get the default; a hold stays unless it is released. One whose guard
 * is switched off is released as well. Verifications before a release do not count for the next verdict.
 */
export async function replaceLimits(
  db: Db,
  tenantId: string,
  startsPerHour: number | null,
  prefixes: readonly NewPrefixLimit[],
): Promise<void> {
  const usual = { prefix: '', startsPerHour, guarded: true, release: false };
  const wanted = unnestRows('w', [usual, ...prefixes], {
    prefix: text((one) => one.prefix),
    starts_per_hour: int((one) => one.startsPerHour),
    guarded: bool((one) => one.guarded),
    release: bool((one) => one.release || !one.guarded),
  });
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`verification limits ${tenantId}`}, 0))`.execute(
      trx,
    );
    await sql`
      update verification_limits set starts_per_hour = null, guarded = true
      where tenant_id = ${tenantId}::uuid and prefix <> all (${prefixes.map(({ prefix }) => prefix)}::text[])`.execute(
      trx,
    );
    await sql`
      insert into verification_limits as l (tenant_id, prefix, starts_per_hour, guarded)
      select ${tenantId}::uuid, prefix, starts_per_hour, guarded from ${wanted} order by prefix
      on conflict (tenant_id, prefix) do update set starts_per_hour = excluded.starts_per_hour, guarded = excluded.guarded`.execute(
      trx,
    );
    const released = prefixes
      .filter(({ release, guarded }) => release || !guarded)
      .map(({ prefix }) => prefix);
    await sql`
      update verification_limits set held_until = null, holds = 0, judged_from = now()
      where tenant_id = ${tenantId}::uuid and prefix = any (${released}::text[]) and held_until is not null`.execute(
      trx,
    );
  });
}
