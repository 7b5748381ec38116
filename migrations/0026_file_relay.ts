// Files of linked devices on their way to the api. Compatible from version 0.1.0, which asks for none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // One row per file that is being read. The process of linked devices that claims it decrypts the file and writes its
  // chunks. A row is removed by its reader, or some time after `seen_until`, which the reader renews. Unlogged, as the
  // chunks are: after a crash of Postgres a reader asks again.
  await sql`
    create unlogged table file_requests (
      id uuid primary key,
      account_id uuid not null,
      file json not null,
      seen_until timestamptz not null,
      holder uuid,
      held_until timestamptz,
      read_chunks integer not null default 0,
      written_chunks integer not null default 0,
      ended boolean not null default false,
      failure text check (failure in ('expired', 'unavailable')),
      detail text
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create unlogged table file_chunks (
      request_id uuid not null,
      chunk integer not null,
      bytes bytea not null,
      primary key (request_id, chunk)
    )`.execute(db);
  // Files are compressed already.
  await sql`alter table file_chunks alter column bytes set storage external`.execute(db);
}
