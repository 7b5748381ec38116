// Drops an index: a tenant's backlog is counted by its accounts. Compatible from version 0.1.0, which counts it more slowly.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { dispatch_due: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Every accepted message wrote an entry to this index; `dispatch_due_turn` leads to the same rows.
  await sql`drop index dispatch_due_tenant`.execute(db);
}
