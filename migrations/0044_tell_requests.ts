// What linked devices are to tell people beside messages. Compatible from version 0.1.0, which tells nothing.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // What the api asks of the process that holds an account's device. That process writes `result`. The api removes the row; if it
  // cannot, a sweep does so after `drop_at`. Unlogged: after a crash of Postgres it would be old news.
  await sql`
    create unlogged table tell_requests (
      id uuid primary key,
      account_id uuid not null,
      state text not null check (state in ('read', 'typing')),
      recipient text not null,
      external_ids text[] not null,
      drop_at timestamptz not null,
      holder uuid,
      result text
    ) with (fillfactor = 50)`.execute(db);
}
