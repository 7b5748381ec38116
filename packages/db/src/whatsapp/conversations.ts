import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** Whether the account has a conversation with a contact, by the key of `contactKey`. */
export async function hasConversation(db: Db, accountId: string, contact: string): Promise<boolean> {
  const { rows } = await sql`
    select from conversations where account_id = ${accountId} and contact = ${contact}`.execute(db);
  return rows.length > 0;
}
