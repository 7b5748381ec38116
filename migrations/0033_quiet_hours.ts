// Quiet hours of accounts. Compatible from version 0.1.0, which knows neither them nor urgent messages.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { dispatch_due: 'access exclusive', messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // The end of the quiet hours that last postponed the message. Null if none did.
  await sql`alter table dispatch_due add column quiet_until timestamptz`.execute(db);
  // `urgent`: sent in quiet hours too; null is false. `postponed_ms`: how long quiet hours have postponed it in all, which is in
  // `expires_at`; null is 0.
  await sql`
    alter table messages add column urgent boolean, add column postponed_ms double precision`.execute(db);
}
