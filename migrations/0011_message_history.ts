// The receipts of a message, and the message that replaced it. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `reports` holds the first 20 applied receipts. It is a column of the message, because applying a receipt rewrites
  // that row anyway; another table would cost a row and an index entry for each. `resent_as` is the latest of several.
  await sql`
    alter table messages
      add column reports jsonb not null default '[]',
      add column resend_of uuid,
      add column resent_as uuid`.execute(db);
}
