// Webhook secrets older than the previous one that still sign. Compatible from version 0.1.0, which does not sign with them.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { webhooks: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `webhooks.previous_secret` is still the latest replaced secret. The next rotation moves it here until it expires.
  await sql`
    create table webhook_older_secrets (
      id uuid primary key,
      webhook_id uuid not null references webhooks on delete cascade,
      tenant_id uuid not null,
      secret text not null,
      until timestamptz not null
    )`.execute(db);
  await sql`create index webhook_older_secrets_webhook on webhook_older_secrets (webhook_id)`.execute(db);
}
