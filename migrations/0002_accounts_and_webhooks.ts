// Channel accounts and webhooks. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { tenants: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // A deleted account stays as a row (deleted_at) until its waiting messages have failed.
  // `settings` is the sealed JSON of {settings, callbackSecret}.
  await sql`
    create table channel_accounts (
      id uuid primary key,
      tenant_id uuid not null references tenants on delete cascade,
      channel text not null check (channel in ('whatsapp', 'telegram', 'sms')),
      provider text not null,
      name text not null,
      is_default boolean not null default false,
      status text not null default 'connected'
        check (status in ('connected', 'connecting', 'disconnected', 'action-required')),
      status_detail text,
      settings text not null,
      lane text not null default 'fast' check (lane in ('fast', 'slow')),
      paused_until timestamptz,
      pause_reason text,
      failures_in_row integer not null default 0,
      blocked boolean not null default false,
      deleted_at timestamptz,
      last_connected_at timestamptz,
      created_at timestamptz not null default now()
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index channel_accounts_tenant on channel_accounts (tenant_id, channel)`.execute(db);
  await sql`
    create unique index channel_accounts_default on channel_accounts (tenant_id, channel)
      where is_default and deleted_at is null`.execute(db);

  // `generation` grows with every enable, disable and change of URL, so that late attempts of an earlier one are
  // ignored.
  await sql`
    create table webhooks (
      id uuid primary key,
      tenant_id uuid not null references tenants on delete cascade,
      url text not null,
      events text[] not null,
      description text,
      secret text not null,
      previous_secret text,
      previous_secret_until timestamptz,
      is_active boolean not null default true,
      disabled_reason text,
      generation integer not null default 1,
      failure_count integer not null default 0,
      failing_since timestamptz,
      last_triggered_at timestamptz,
      lane text not null default 'fast' check (lane in ('fast', 'slow')),
      paused_until timestamptz,
      created_at timestamptz not null default now()
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index webhooks_tenant on webhooks (tenant_id)`.execute(db);
}
