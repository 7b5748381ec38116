// Tenants, their sessions and API keys. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table tenants (
      id uuid primary key default uuidv7(),
      name text not null,
      email text not null,
      email_key text not null generated always as (lower(email)) stored,
      password_hash text not null,
      plan text not null default 'trial',
      trial_ends_at timestamptz not null,
      blocked_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index tenants_email on tenants (email_key)`.execute(db);

  // A session is a family of refresh tokens, bound to the transport it was first refreshed by.
  await sql`
    create table sessions (
      id uuid primary key default uuidv7(),
      tenant_id uuid not null references tenants on delete cascade,
      transport text check (transport in ('cookie', 'body')),
      user_agent text,
      address text,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index sessions_tenant on sessions (tenant_id)`.execute(db);
  await sql`
    create table refresh_tokens (
      hash bytea primary key,
      session_id uuid not null references sessions on delete cascade,
      created_at timestamptz not null default now(),
      replaced_at timestamptz
    )`.execute(db);
  await sql`create index refresh_tokens_session on refresh_tokens (session_id)`.execute(db);

  await sql`
    create table api_keys (
      id uuid primary key default uuidv7(),
      tenant_id uuid not null references tenants on delete cascade,
      name text not null,
      hash bytea not null,
      hint text not null,
      rate_limit_override integer,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create unique index api_keys_hash on api_keys (hash)`.execute(db);
  await sql`create index api_keys_tenant on api_keys (tenant_id)`.execute(db);

  // Deleted tenants whose messages are still being removed.
  await sql`
    create table tenant_purges (
      tenant_id uuid primary key,
      requested_at timestamptz not null default now()
    )`.execute(db);
}
