// The number of partitions that each whatsapp-sessions process is set to. Compatible from version 0.1.0, where it is 16.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { whatsapp_processes: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Processes with different counts could hold the same account at once, each in another partition.
  await sql`alter table whatsapp_processes add column partitions integer not null default 16`.execute(db);
}
