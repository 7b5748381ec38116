// The API key and the idempotency key of a message. Compatible from version 0.1.0, which stores neither.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Columns without an index, so an accepted message writes no further entry. `idempotency_keys` finds a message by its key, but
  // forgets the key after some days, and cannot tell the key of a message.
  await sql`
    alter table messages
      add column api_key_id uuid,
      add column idempotency_key text`.execute(db);
}
