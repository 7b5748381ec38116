// Refusals of WhatsApp to linked devices, kept over restarts. Compatible from version 0.1.0, which does not look at it.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { whatsapp_links: 'access exclusive', whatsapp_contacts: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // No login before `login_after`; `infinity`: the tenant has to act. `login_refusals` counts refused logins in a row.
  // `pushbacks` counts how often the account was throttled, last at `pushed_back_at`.
  await sql`
    alter table whatsapp_links
      add column login_after timestamptz,
      add column login_refusals integer not null default 0,
      add column pushbacks integer not null default 0,
      add column pushed_back_at timestamptz`.execute(db);
  // A contact is `unproven` after a first or refused message to it, until WhatsApp accepts the next one.
  await sql`
    alter table whatsapp_contacts
      add column unproven boolean not null default false,
      add column refusals integer not null default 0,
      add column refused_until timestamptz`.execute(db);
}
