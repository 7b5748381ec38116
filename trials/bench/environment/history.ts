import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { ensurePartitions } from '@notify/db/maintenance';
import { sql } from 'kysely';
import type { LoadTenant } from './tenants.ts';

/**
 * Loads delivered messages with `copy`, each with an idempotency key, as if these tenants had sent them in turn just
 * now. Returns `wanted` random ids of the first tenant.
 *
 * New traffic searches messages and keys by id, by tenant, by the provider's id and by key. Attempts, events,
 * deliveries and delivery attempts are left out: they are appended and found by recent ids, so old ones cost only
 * disk.
 */
export async function loadMessages(
  db: Db,
  tenants: readonly LoadTenant[],
  count: number,
  wanted: number,
): Promise<string[]> {
  await ensurePartitions(db);
  await sql`
    create unlogged table loaded as
    select uuidv7() as id, n, t.tenant_id, t.account_id
    from generate_series(1, ${count}::int) as n
    join unnest(
      ${tenants.map((tenant) => tenant.tenantId)}::uuid[], ${tenants.map((tenant) => tenant.accountId)}::uuid[]
    ) with ordinality as t(tenant_id, account_id, place) on t.place = 1 + n % ${tenants.length}::int`.execute(
    db,
  );
  await copy(
    db,
    `messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, external_id, segments,
      emitted, attempts, expires_at, sent_at, delivered_at)`,
    `select id, tenant_id, account_id, 'sms', '+14155550123', 'text',
      json_build_object('text', 'Your code is ' || n || '. It is good for ten minutes.'), false, 'delivered',
      'gw-' || md5(n::text), 1, '{queued,sent,delivered}', 1, now() + interval '1 day', now(), now()
    from loaded order by id`,
  );
  await copy(
    db,
    'idempotency_keys (tenant_id, key, request_hash, message_id, account_id)',
    'select tenant_id, md5(n::text), sha256(n::text::bytea), id, account_id from loaded',
  );
  const { rows } = await sql<{
    id: string;
  }>`select id from loaded where tenant_id = ${tenants[0]!.tenantId} order by random() limit ${wanted}`.execute(
    db,
  );
  await sql`drop table loaded`.execute(db);
  await sql`vacuum analyze messages, idempotency_keys`.execute(db);
  return rows.map((row) => row.id);
}

/** Copies through a file that the server writes and reads in its data folder. */
async function copy(db: Db, target: string, source: string): Promise<void> {
  const { rows } = await sql<{ dir: string }>`select current_setting('data_directory') as dir`.execute(db);
  const file = path.join(rows[0]!.dir, 'loaded.copy');
  await sql`copy (${sql.raw(source)}) to ${sql.lit(file)}`.execute(db);
  await sql`copy ${sql.raw(target)} from ${sql.lit(file)}`.execute(db);
  await rm(file);
}
