// The templates of accounts, and when they were read from the provider. Compatible from version 0.1.0, which does not look at them.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { channel_accounts: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // One row per account whose provider has templates. A worker adds the rows of accounts that an older version created.
  // `due_at` is the next synchronisation, `asked_at` when somebody last asked for one. `digest` is the SHA-256 of the
  // list as stored, so that an unchanged list is not stored again.
  await sql`
    create table account_template_syncs (
      account_id uuid primary key references channel_accounts on delete cascade,
      provider text not null,
      due_at timestamptz not null default now(),
      asked_at timestamptz,
      claimed_by uuid,
      claimed_at timestamptz,
      claimed_until timestamptz,
      synced_at timestamptz,
      failed_at timestamptz,
      failure text,
      digest bytea
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index account_template_syncs_due on account_template_syncs (provider, due_at)`.execute(db);

  // `changed_at` is when a callback last changed the status.
  await sql`
    create table account_templates (
      account_id uuid not null references channel_accounts on delete cascade,
      name text not null,
      language text not null,
      status text not null check (status in ('approved', 'pending', 'rejected', 'paused', 'disabled')),
      reason text,
      content json not null,
      changed_at timestamptz,
      primary key (account_id, name, language)
    )`.execute(db);
}
