// Narrowed API keys, and service tokens. Compatible from version 0.1.0, whose processes ignore how a key is narrowed.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { tenants: 'share row exclusive', api_keys: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `account_ids` and `allowed_ips` are null where a key is not narrowed. `replaced_by` is the key that a rotation made.
  await sql`
    alter table api_keys
      add column scopes text[] not null default '{send,read}',
      add column account_ids uuid[],
      add column expires_at timestamptz,
      add column allowed_ips cidr[],
      add column replaced_by uuid`.execute(db);
  await sql`
    create table service_tokens (
      id uuid primary key default uuidv7(),
      tenant_id uuid not null references tenants on delete cascade,
      name text not null,
      hash bytea not null,
      hint text not null,
      scopes text[] not null,
      expires_at timestamptz,
      allowed_ips cidr[],
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create unique index service_tokens_hash on service_tokens (hash)`.execute(db);
  await sql`create index service_tokens_tenant on service_tokens (tenant_id)`.execute(db);
}
