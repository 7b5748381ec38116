// The sender's `traceparent` of the message, handed on with its events, so that a post need not look for it. Compatible
// from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { events: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table events add column traceparent text`.execute(db);
}
