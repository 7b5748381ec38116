// Linked WhatsApp devices: who holds them, and all they consist of. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Turns of the lane `whatsapp-web` are taken by whatsapp-sessions, and by nobody else.
  await sql`
    alter table channel_accounts drop constraint channel_accounts_lane_check,
      add constraint channel_accounts_lane_check check (lane in ('fast', 'slow', 'whatsapp-web'))`.execute(
    db,
  );

  // A lease of a partition of accounts. A new owner is a new epoch; renewals change `leased_until` alone.
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

  // One for each whatsapp-web account. `requests` counts those to link it. `shown` is a QR code or a pairing code and, like `data_key`, sealed with the
  // master key; `creds` is sealed with the account's data key. `version` grows with every change a tenant can see.
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

  // Numbers that were looked up: `jid` is null where there is no such account. Recipients are phone numbers by their
  // digits. `first_sent_at` is when the account first wrote to them.
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

  // What was sent, for recipients who could not read it and ask for it again. Sealed with the account's data key.
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
