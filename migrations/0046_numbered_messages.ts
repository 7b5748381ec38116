// Messages that a number answers. Compatible from version 0.1.0, which sends none and takes a number for a text.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { channel_accounts: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Written before such a message is sent, and removed with its answer. The choices are in the message.
  await sql`
    create table numbered_messages (
      account_id uuid not null references channel_accounts on delete cascade,
      contact text not null,
      message_id uuid not null,
      sent_at timestamptz not null default now(),
      primary key (account_id, contact, message_id)
    )`.execute(db);
  await sql`create index numbered_messages_age on numbered_messages (sent_at)`.execute(db);
}
