// Files that tenants upload to send them. Compatible from version 0.1.0, which makes none and sends none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // `key_id` is null for a file of a session or a service token. `sha256` and `type` are null until the file is whole. `expires_at` is null while a message or a group waits for the file, and
  // renewed by each chunk while it arrives. A file that is gone keeps its row for as long as idempotency compares it.
  await sql`
    create table uploads (
      id uuid primary key,
      tenant_id uuid not null,
      key_id uuid,
      filename text,
      type text,
      bytes bigint not null default 0,
      sha256 bytea,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      gone_at timestamptz,
      check ((type is null) = (sha256 is null))
    )`.execute(db);
  await sql`create index uploads_tenant on uploads (tenant_id) where gone_at is null`.execute(db);
  await sql`create index uploads_expiry on uploads (expires_at) where gone_at is null`.execute(db);
  await sql`create index uploads_gone on uploads (gone_at) where gone_at is not null`.execute(db);
  await sql`
    create table upload_chunks (
      upload_id uuid not null references uploads on delete cascade,
      chunk integer not null,
      bytes bytea not null,
      primary key (upload_id, chunk)
    )`.execute(db);
  // Files are compressed already.
  await sql`alter table upload_chunks alter column bytes set storage external`.execute(db);
  // What waits for a file: a message, or a group with a route that sends it.
  await sql`
    create table upload_uses (
      upload_id uuid not null references uploads on delete cascade,
      message_id uuid,
      group_id uuid,
      used_by uuid not null generated always as (coalesce(message_id, group_id)) stored,
      primary key (upload_id, used_by),
      check (num_nonnulls(message_id, group_id) = 1)
    )`.execute(db);
}
