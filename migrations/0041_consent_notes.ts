// A note with a change of consent, such as how a person asked for it. Compatible from version 0.1.0, which writes none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { consent_changes: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table consent_changes add column note text`.execute(db);
}
