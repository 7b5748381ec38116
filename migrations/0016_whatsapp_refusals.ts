// What WhatsApp refused linked devices, kept over restarts. Compatible from version 0.1.0, which does not look at it.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // No login before `login_after`; `infinity`: the tenant has to act. `login_refusals` counts those in a row.
  // `pushbacks` counts how often the account was told to slow down, last at `pushed_back_at`.
  await sql`
    alter table whatsapp_links
      add column login_after timestamptz,
      add column login_refusals integer not null default 0,
      add column pushbacks integer not null default 0,
      add column pushed_back_at timestamptz`.execute(db);
  // A contact is `unproven` between the first message to it, or one that was refused, and the next that WhatsApp takes.
  await sql`
    alter table whatsapp_contacts
      add column unproven boolean not null default false,
      add column refusals integer not null default 0,
      add column refused_until timestamptz`.execute(db);
}
