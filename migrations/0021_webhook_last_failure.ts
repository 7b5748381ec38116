// The latest failed attempt of a webhook, which its banner shows. Compatible from version 0.1.0, which leaves it empty.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { webhooks: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table webhooks
      add column last_failed_at timestamptz,
      add column last_failed_status smallint,
      add column last_failed_error text`.execute(db);
}
