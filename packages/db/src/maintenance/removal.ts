import { lowestIdAt } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { purgeInbound } from './inbound-removal.ts';
import { inSteps, removedAtOnce } from './in-steps.ts';

export interface Removed {
  readonly idempotencyKeys: number;
  readonly sessions: number;
  readonly links: number;
  readonly keys: number;
  readonly tokens: number;
  readonly accounts: number;
}

/**
 * Removes expired idempotency keys whose messages no longer wait, ended sessions, expired links, keys and service tokens 30 days after their end, and removed
 * accounts without waiting messages and conversations.
 */
export async function removeExpired(db: Db, rules: { readonly idempotencyDays: number }): Promise<Removed> {
  return {
    idempotencyKeys: await inSteps(() =>
      sql`
        delete from idempotency_keys where ctid in (
          select ctid from idempotency_keys
          where created_at < now() - make_interval(days => ${rules.idempotencyDays}::int) and not message_waits(message_id)
          limit ${removedAtOnce}
        )`.execute(db),
    ),
    sessions: await inSteps(() =>
      sql`
        delete from sessions where id in (
          select id from sessions
          where expires_at < now() or revoked_at < now() - interval '30 days' limit ${removedAtOnce}
        )`.execute(db),
    ),
    links: await inSteps(() =>
      sql`
        delete from one_time_links where hash in (
          select hash from one_time_links where expires_at < now() limit ${removedAtOnce}
        )`.execute(db),
    ),
    keys: await inSteps(() =>
      sql`
        delete from api_keys where id in (
          select id from api_keys where least(revoked_at, expires_at) < now() - interval '30 days' limit ${removedAtOnce}
        )`.execute(db),
    ),
    tokens: await inSteps(() =>
      sql`
        delete from service_tokens where id in (
          select id from service_tokens
          where least(revoked_at, expires_at) < now() - interval '30 days' limit ${removedAtOnce}
        )`.execute(db),
    ),
    accounts: await inSteps(() =>
      sql`
        delete from channel_accounts where id in (
          select id from channel_accounts a where deleted_at < now() - interval '1 day'
            and not exists (select 1 from dispatch_due d where d.account_id = a.id)
            and not exists (select 1 from scheduled_messages s where s.account_id = a.id)
            and not exists (select 1 from conversations c where c.account_id = a.id) limit ${removedAtOnce}
        )`.execute(db),
    ),
  };
}

/** Removes figures of older hours and days, and the rows kept to correct them. Returns the number of removed rows. */
export async function removeOldUsage(db: Db, keepDays: number): Promise<number> {
  const { rows } = await sql<{
    before: Date;
  }>`select now() - make_interval(days => ${keepDays}::int) as before`.execute(db);
  const { before } = rows[0]!;
  const figures = await inSteps(() =>
    sql`
      delete from usage where ctid in (
        select ctid from usage where starts_at < ${before} limit ${removedAtOnce}
      )`.execute(db),
  );
  const byTag = await inSteps(() =>
    sql`
      delete from usage_by_tag where ctid in (
        select ctid from usage_by_tag where starts_at < ${before} limit ${removedAtOnce}
      )`.execute(db),
  );
  const tags = await inSteps(() =>
    sql`
      delete from usage_tags where ctid in (
        select ctid from usage_tags where day < ${before} limit ${removedAtOnce}
      )`.execute(db),
  );
  const failed = await inSteps(() =>
    sql`
      delete from usage_failed where message_id in (
        select message_id from usage_failed where message_id < ${lowestIdAt(before)} limit ${removedAtOnce}
      )`.execute(db),
  );
  return figures + byTag + tags + failed;
}

/** Removes groups that ended and are older than `keepDays`, as their messages go. Returns the number removed. */
export async function removeOldGroups(db: Db, keepDays: number): Promise<number> {
  const { rows } = await sql<{
    before: Date;
  }>`select now() - make_interval(days => ${keepDays}::int) as before`.execute(db);
  return inSteps(() =>
    sql`
      delete from message_groups where id in (
        select id from message_groups where id < ${lowestIdAt(rows[0]!.before)}::uuid and ended_at is not null
        limit ${removedAtOnce}
      )`.execute(db),
  );
}

/** Messages are dropped by the month, so some outlive their retention. Their verifications outlive them. */
const monthDays = 32;

/** Removes verifications whose messages are gone, and their figures. Returns the number of removed rows. */
export async function removeOldVerifications(db: Db, keepDays: number): Promise<number> {
  const { rows } = await sql<{
    before: Date;
  }>`select now() - make_interval(days => ${keepDays + monthDays}::int) as before`.execute(db);
  const { before } = rows[0]!;
  const verifications = await inSteps(() =>
    sql`
      delete from verifications where id = any (array(
        select id from verifications where id < ${lowestIdAt(before)}::uuid limit ${removedAtOnce}
      ))`.execute(db),
  );
  const counts = await inSteps(() =>
    sql`
      delete from verification_counts where ctid in (
        select ctid from verification_counts where hour < ${before} limit ${removedAtOnce}
      )`.execute(db),
  );
  return verifications + counts;
}

/**
 * Removes the rows of deleted tenants: groups, conversations, messages, attempts, events, deliveries, figures. A deleted tenant
 * stays listed for an hour, to catch rows that were being written during its deletion. Returns the number of removed
 * rows.
 */
export async function purgeTenants(db: Db): Promise<number> {
  const tenants = await db.selectFrom('tenant_purges').select(['tenant_id']).execute();
  let removed = 0;
  for (const { tenant_id: tenantId } of tenants) removed += await purgeTenant(db, tenantId);
  await sql`delete from tenant_purges where requested_at < now() - interval '1 hour'`.execute(db);
  return removed;
}

/** What would still do something for the tenant goes first. */
const emptiedFirst = [
  'group_due',
  'message_groups',
  'scheduled_messages',
  'dispatch_due',
  'delivery_due',
  'idempotency_keys',
  'uploads',
] as const;

const emptiedLast = [
  'message_tags',
  'events',
  'usage',
  'usage_by_tag',
  'usage_tags',
  'verifications',
  'verification_counts',
  'verification_limits',
] as const;

async function purgeTenant(db: Db, tenantId: string): Promise<number> {
  let removed = await purgeInbound(db, tenantId);
  for (const table of emptiedFirst) removed += await inSteps(() => deleteSome(db, table, tenantId));
  removed += await inSteps(() =>
    sql`
      with gone as (
        delete from messages where id in (select id from messages where tenant_id = ${tenantId} limit ${removedAtOnce})
        returning id
      ), attempted as (delete from attempts where message_id in (select id from gone)),
      failed as (delete from usage_failed where message_id in (select id from gone))
      select id from gone`.execute(db),
  );
  for (const table of ['delivery_packs', 'deliveries'] as const)
    removed += await inSteps(() =>
      sql`
        with gone as (
          delete from ${sql.table(table)} where id in (
            select id from ${sql.table(table)} where tenant_id = ${tenantId} limit ${removedAtOnce})
          returning id
        ), attempted as (delete from delivery_attempts where delivery_id in (select id from gone))
        select id from gone`.execute(db),
    );
  for (const table of emptiedLast) removed += await inSteps(() => deleteSome(db, table, tenantId));
  return removed;
}

function deleteSome(
  db: Db,
  table: (typeof emptiedFirst)[number] | (typeof emptiedLast)[number],
  tenantId: string,
) {
  return sql`
    delete from ${sql.table(table)} where (tableoid, ctid) in (
      select tableoid, ctid from ${sql.table(table)} where tenant_id = ${tenantId} limit ${removedAtOnce}
    ) and tenant_id = ${tenantId}`.execute(db);
}
