// Links for a forgotten password and for the verification of an email address. Compatible from version 0.1.0, which does not look at them.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { tenants: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Null until the tenant has proved that it reads mail to its address. Without a default, no row is rewritten.
  await sql`alter table tenants add column email_verified_at timestamptz`.execute(db);
  // A link works once, until it expires. `emailed`: it went to the tenant's address, so its use proves the address.
  await sql`
    create table one_time_links (
      hash bytea primary key,
      tenant_id uuid not null references tenants on delete cascade,
      purpose text not null check (purpose in ('password', 'email')),
      emailed boolean not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index one_time_links_tenant on one_time_links (tenant_id)`.execute(db);
}
