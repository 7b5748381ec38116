// One-time codes and their checks. Compatible from version 0.1.0, which starts no verifications.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // The code is there twice, and never in the clear: sealed for as long as a route may need it (`sealed_code`), and as an HMAC
  // under a key that the database never sees, until the verification ends. `recipient` is the key of the recipient, `prefix` its
  // country code, null without one.
  await sql`
    create table verifications (
      id uuid primary key,
      tenant_id uuid not null,
      recipient text not null,
      shown_recipient text not null,
      prefix text,
      account_ids uuid[] not null,
      group_id uuid not null,
      status text not null default 'pending',
      tries smallint not null default 0,
      sandbox boolean not null,
      sealed_code text,
      code_hash bytea,
      code_salt bytea,
      key_version int not null,
      created_at timestamptz not null default now(),
      first_checked_at timestamptz,
      expires_at timestamptz not null,
      ended_at timestamptz
    ) with (fillfactor = 70)`.execute(db);
  // At most one pending verification of a recipient, whoever races.
  await sql`
    create unique index verifications_pending on verifications (tenant_id, recipient) where status = 'pending'`.execute(
    db,
  );
  await sql`create index verifications_recipient on verifications (tenant_id, recipient, created_at)`.execute(
    db,
  );
  await sql`create index verifications_prefix on verifications (tenant_id, prefix, created_at)`.execute(db);
  await sql`create index verifications_group on verifications (group_id)`.execute(db);
  await sql`create index verifications_sealed on verifications (expires_at) where sealed_code is not null`.execute(
    db,
  );
  await sql`create index verifications_open on verifications (expires_at) where status = 'pending'`.execute(
    db,
  );
  await sql`create index verifications_age on verifications (created_at)`.execute(db);

  // Rules of a tenant for a country prefix; the prefix '' has those of every other one.
  await sql`
    create table verification_limits (
      tenant_id uuid not null,
      prefix text not null,
      starts_per_hour int,
      guarded boolean not null default true,
      held_until timestamptz,
      holds int not null default 0,
      judged_from timestamptz,
      primary key (tenant_id, prefix)
    )`.execute(db);

  // Figures by hour. They are also what the limit per hour counts.
  await sql`
    create table verification_counts (
      tenant_id uuid not null,
      prefix text not null,
      hour timestamptz not null,
      starts int not null default 0,
      checked int not null default 0,
      checks int not null default 0,
      approved int not null default 0,
      failed int not null default 0,
      refused int not null default 0,
      primary key (tenant_id, prefix, hour)
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index verification_counts_hour on verification_counts (hour)`.execute(db);

  await sql`
    create function verification_held_body(
      event_id uuid, occurred_at timestamptz, tenant_id uuid, prefix text, starts int, checked int, held_until timestamptz
    ) returns text language sql stable as $$
      select '{"event":"verification.held","messageId":null,"id":"evt_' || event_id || '","tenantId":"ten_' || tenant_id
        || '","channelAccountId":null,"provider":null,"prefix":' || to_json(prefix)::text
        || ',"starts":' || starts || ',"checked":' || checked
        || ',"heldUntil":"' || to_char(held_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","occurredAt":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","sequence":null}'
    $$`.execute(db);
}
