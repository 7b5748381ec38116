// Accounts whose provider hands over updates. Compatible from version 0.1.0, which receives none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { channel_accounts: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `next_update` is the provider's number of the next update to read. While `leased_until` has not passed, only `holder`
  // asks the provider. `mode` is null until it was decided. `detail` says why nothing arrives.
  await sql`
    create table update_sources (
      account_id uuid primary key references channel_accounts on delete cascade,
      provider text not null,
      mode text check (mode in ('webhook', 'poll', 'off')),
      url text,
      next_update bigint,
      due_at timestamptz not null default now(),
      holder uuid,
      leased_until timestamptz,
      detail text
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index update_sources_due on update_sources (provider, due_at)`.execute(db);

  // Another program may read the updates of a bot that was connected before, and would lose them. So such an account
  // receives only once its tenant has changed its settings.
  await sql`
    insert into update_sources (account_id, provider, mode, due_at, detail)
    select id, provider, 'off', 'infinity',
      'Messages that people write are not received, because the account is older than receiving. '
      || 'Save its settings with updates set to receive, unless another program reads the messages of this bot.'
    from channel_accounts where provider = 'telegram-bot' and deleted_at is null`.execute(db);
}
