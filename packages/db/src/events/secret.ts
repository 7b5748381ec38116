import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The sealed secret that signs a tenant's list of events. Null before `storeEventSecret`. */
export async function findEventSecret(db: Db, tenantId: string): Promise<string | null> {
  const row = await db
    .selectFrom('event_secrets')
    .select('secret')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.secret ?? null;
}

/** Stores a sealed secret unless the tenant has one. Returns the one that it has now. */
export async function storeEventSecret(db: Db, tenantId: string, sealed: string): Promise<string> {
  await sql`
    insert into event_secrets (tenant_id, secret) values (${tenantId}::uuid, ${sealed})
    on conflict (tenant_id) do nothing`.execute(db);
  const stored = await findEventSecret(db, tenantId);
  if (stored === null) throw new Error('the secret is gone: the tenant was removed');
  return stored;
}
