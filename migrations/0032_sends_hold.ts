// The hold of all sends, for a database that was restored. Compatible from version 0.1.0, which ignores a hold.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // At most one row: as long as it is there, nothing leaves. Messages accepted before `accepted_before` may have been sent after
  // the moment of the backup. `server` names the server and its start: after another restore it differs.
  await sql`
    create table sends_hold (
      only_row boolean primary key default true check (only_row),
      held_since timestamptz not null default now(),
      accepted_before timestamptz not null,
      server text not null
    )`.execute(db);
}
