// A column of `messages`, so that the drill always has something to migrate. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messages add column drill_note text`.execute(db);
}
