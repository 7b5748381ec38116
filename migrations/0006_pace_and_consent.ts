// The pace of accounts, and the recipients who opted out. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { channel_accounts: 'access exclusive', dispatch_due: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `paced_until` is the time when the next message may be sent; a null `per_second` means no limit but the provider's
  // pace.
  await sql`
    alter table channel_accounts
      add column per_second real check (per_second > 0),
      add column paced_until timestamptz`.execute(db);

  // The time of the next message to one recipient, for providers that limit that.
  await sql`
    create table recipient_slots (
      account_id uuid not null references channel_accounts on delete cascade,
      recipient text not null,
      next_at timestamptz not null,
      primary key (account_id, recipient)
    ) with (fillfactor = 70)`.execute(db);
  // A message with a slot is due in that slot, and gets no other.
  await sql`alter table dispatch_due add column has_slot boolean not null default false`.execute(db);

  // Recipients who opted out: phone numbers by their digits, others unchanged.
  await sql`
    create table suppressions (
      account_id uuid not null references channel_accounts on delete cascade,
      recipient text not null,
      created_at timestamptz not null default now(),
      primary key (account_id, recipient)
    )`.execute(db);
}
