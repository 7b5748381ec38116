// Uploaded files that are objects of an S3 bucket. Compatible from version 0.1.0, which sends no uploaded files.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { uploads: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Objects of files whose rows are gone, or have no contents any more.
  await sql`
    create table removed_objects (
      upload_id uuid primary key,
      due_at timestamptz not null
    )`.execute(db);
  await sql`create index removed_objects_due on removed_objects (due_at)`.execute(db);
  // An upload that broke off may still be on its way to the bucket.
  await sql`
    create function note_removed_object() returns trigger language plpgsql as $$
    begin
      insert into removed_objects (upload_id, due_at)
      values (old.id, now() + case when old.sha256 is null then interval '15 minutes' else interval '0' end)
      on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    alter table uploads add column place text not null default 'postgres' check (place in ('postgres', 's3'))`.execute(
    db,
  );
  await sql`
    create trigger removed_object after delete on uploads
    for each row when (old.place = 's3' and old.gone_at is null) execute function note_removed_object()`.execute(
    db,
  );
  await sql`
    create trigger emptied_object after update of gone_at on uploads
    for each row when (old.place = 's3' and old.gone_at is null and new.gone_at is not null)
    execute function note_removed_object()`.execute(db);
}
