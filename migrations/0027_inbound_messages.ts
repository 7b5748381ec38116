// The columns of inbound messages. Compatible from version 0.1.0, which receives none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {
  consents: 'share update exclusive',
  consent_changes: 'share update exclusive',
  messages: 'access exclusive',
};

export async function up(db: Kysely<never>): Promise<void> {
  // The copied rows of 0023. Their accounts may have gone while it ran.
  for (const table of ['consents', 'consent_changes']) {
    await sql`
      delete from ${sql.table(table)} c
      where not exists (select from channel_accounts a where a.id = c.account_id)`.execute(db);
    await sql`
      alter table ${sql.table(table)} validate constraint ${sql.ref(`${table}_account_id_fkey`)}`.execute(db);
  }

  // Last, because every send waits from here to the end.
  // Only inbound messages have `received_at`, `sender`, `contact` and `file`; a null costs an outbound one nothing.
  // `file` is what the provider's adapter needs to read the file. `reply_to` is the message that this one answers.
  await sql`
    alter table messages
      add column received_at timestamptz,
      add column sender text,
      add column contact json,
      add column file json,
      add column reply_to uuid`.execute(db);
}
