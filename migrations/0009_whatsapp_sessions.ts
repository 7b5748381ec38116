// Linked WhatsApp devices: their leases, links, keys and contacts. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { tenants: 'share row exclusive', channel_accounts: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Only whatsapp-sessions takes turns of the lane `whatsapp-web`.
  await sql`
    alter table channel_accounts drop constraint channel_accounts_lane_check,
      add constraint channel_accounts_lane_check check (lane in ('fast', 'slow', 'whatsapp-web'))`.execute(
    db,
  );

  // A lease of a partition of accounts. A new owner starts a new epoch; renewals change only `leased_until`.
  await sql`
    create table whatsapp_partitions (
      partition integer primary key,
      owner uuid,
      epoch bigint not null default 0,
      leased_until timestamptz
    ) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  );
  // The processes that share the partitions.
  await sql`
    create table whatsapp_processes (
      id uuid primary key,
      seen_until timestamptz not null
    ) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  );

  // One row per whatsapp-web account. `requests` counts the requests to link it. `shown` is a QR code or a pairing
  // code. It is sealed with the master key, as `data_key` is; `creds` is sealed with the account's data key. `version`
  // grows with every change that a tenant can see.
  await sql`
    create table whatsapp_links (
      account_id uuid primary key references channel_accounts on delete cascade,
      tenant_id uuid not null references tenants on delete cascade,
      wanted text check (wanted in ('link', 'unlink', 'relink')),
      wanted_phone text,
      requests bigint not null default 0,
      step text not null default 'idle'
        check (step in ('idle', 'display-qr', 'display-code', 'connected', 'failed')),
      shown text,
      shown_until timestamptz,
      reason text,
      phone text,
      linked_at timestamptz,
      restricted_until timestamptz,
      data_key text,
      creds text,
      version bigint not null default 1
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index whatsapp_links_tenant on whatsapp_links (tenant_id)`.execute(db);
  await sql`create index whatsapp_links_wanted on whatsapp_links (account_id) where wanted is not null`.execute(
    db,
  );

  // Signal keys: a pairing writes some 800 of them in one statement.
  await sql`
    create table whatsapp_keys (
      account_id uuid not null references whatsapp_links on delete cascade,
      type text not null,
      id text not null,
      value text not null,
      primary key (account_id, type, id)
    ) with (fillfactor = 80)`.execute(db);

  // Numbers that were looked up. `jid` is null if the number is not on WhatsApp. Recipients are phone numbers by their
  // digits. `first_sent_at` is the time of the account's first message to them.
  await sql`
    create table whatsapp_contacts (
      account_id uuid not null references whatsapp_links on delete cascade,
      recipient text not null,
      jid text,
      checked_at timestamptz,
      first_sent_at timestamptz,
      primary key (account_id, recipient)
    )`.execute(db);
  await sql`
    create index whatsapp_contacts_first_sent on whatsapp_contacts (account_id, first_sent_at)
      where first_sent_at is not null`.execute(db);

  // Sent messages, in case recipients cannot read them and ask for them again. Sealed with the account's data key.
  await sql`
    create table whatsapp_sent (
      account_id uuid not null references whatsapp_links on delete cascade,
      id text not null,
      content text not null,
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    )`.execute(db);
  await sql`create index whatsapp_sent_created on whatsapp_sent (created_at)`.execute(db);
}
