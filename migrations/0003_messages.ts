// Messages, what is due for dispatch, receipts and idempotency keys. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // Partitioned by the time-ordered key, so that old months are dropped, not deleted. No foreign keys refer to this
  // table.
  await sql`
    create table messages (
      id uuid primary key,
      tenant_id uuid not null,
      channel_account_id uuid,
      channel text not null,
      recipient text not null,
      type text not null,
      body json not null,
      bulk boolean not null,
      status text not null default 'queued' check (status in ('queued', 'sent', 'delivered', 'failed')),
      external_id text,
      error text,
      error_code text,
      segments smallint,
      parts smallint not null default 1,
      delivered_parts smallint[] not null default '{}',
      emitted text[] not null default '{queued}',
      possible_duplicate boolean not null default false,
      attempts integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      expires_at timestamptz not null,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz
    ) partition by range (id)`.execute(db);
  await sql`create index messages_tenant on messages (tenant_id, id)`.execute(db);
  await sql`
    create index messages_external_id on messages (channel_account_id, external_id)
      where external_id is not null`.execute(db);

  // One row per attempt at the provider, written when it is settled.
  await sql`
    create table attempts (
      id uuid not null default uuidv7(),
      message_id uuid not null,
      number integer not null,
      part smallint not null,
      outcome text not null,
      provider_code text,
      text text,
      started_at timestamptz not null,
      ended_at timestamptz not null,
      primary key (message_id, id)
    ) partition by range (message_id)`.execute(db);

  // Messages due for dispatch: small and hot. A claim changes no indexed column; rows are deleted when settled.
  await sql`
    create table dispatch_due (
      message_id uuid primary key,
      account_id uuid not null,
      tenant_id uuid not null,
      bulk boolean not null,
      due_at timestamptz not null,
      expires_at timestamptz not null,
      claimed_until timestamptz,
      claimed_by uuid,
      attempt_began_at timestamptz,
      attempts integer not null default 0,
      throttles integer not null default 0,
      resends smallint not null default 0,
      part smallint not null default 0,
      awaiting_receipt boolean not null default false
    ) with (
      fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
      autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  await sql`create index dispatch_due_turn on dispatch_due (account_id, bulk, due_at)`.execute(db);
  await sql`create index dispatch_due_expiry on dispatch_due (expires_at)`.execute(db);
  await sql`create index dispatch_due_tenant on dispatch_due (tenant_id)`.execute(db);

  // Delivery receipts, committed before they are applied to their messages.
  await sql`
    create table receipts (
      id bigint generated always as identity primary key,
      account_id uuid not null,
      message_id uuid,
      external_id text,
      part smallint,
      status text not null check (status in ('sent', 'delivered', 'read', 'failed')),
      error_code text,
      provider_code text,
      text text,
      apply_at timestamptz not null default now(),
      received_at timestamptz not null default now()
    ) with (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  await sql`create index receipts_due on receipts (apply_at)`.execute(db);
  await sql`
    create index receipts_external on receipts (account_id, external_id) where message_id is null`.execute(
    db,
  );

  // Separate from messages, because a unique key cannot span partitions.
  await sql`
    create table idempotency_keys (
      tenant_id uuid not null,
      key text not null,
      request_hash bytea not null,
      message_id uuid not null,
      account_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (tenant_id, key)
    ) with (fillfactor = 90)`.execute(db);
  await sql`create index idempotency_keys_age on idempotency_keys using brin (created_at)`.execute(db);
}
