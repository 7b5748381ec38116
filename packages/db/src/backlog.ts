import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** How many messages of the tenant wait to be sent, counted up to `atMost`. */
export async function countWaiting(db: Db, tenantId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from dispatch_due where tenant_id = ${tenantId} limit ${atMost}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}
