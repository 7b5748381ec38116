// Metadata and tags of messages. Compatible from version 0.1.0, which stores neither.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {
  events: 'access exclusive',
  message_groups: 'access exclusive',
  messages: 'access exclusive',
  verifications: 'access exclusive',
};

export async function up(db: Kysely<never>): Promise<void> {
  // The messages of a tag, newest last. A table beside `messages`, because an index there would get new entries whenever a tagged
  // message changes its status. Only tagged messages have rows.
  await sql`
    create table message_tags (
      tenant_id uuid not null,
      tag text not null,
      message_id uuid not null,
      primary key (tenant_id, tag, message_id)
    ) partition by range (message_id)`.execute(db);

  // The tags of a day (UTC) that have figures. Others count as the tag 'other'.
  await sql`
    create table usage_tags (
      tenant_id uuid not null,
      day timestamptz not null,
      tag text not null,
      primary key (tenant_id, day, tag)
    )`.execute(db);
  await sql`create index usage_tags_age on usage_tags (day)`.execute(db);
  // As usage, by tag.
  await sql`
    create table usage_by_tag (
      tenant_id uuid not null,
      per text not null check (per in ('hour', 'day')),
      starts_at timestamptz not null,
      tag text not null,
      source text not null,
      subject_id uuid not null,
      measure text not null,
      detail text not null,
      total bigint not null,
      primary key (tenant_id, per, tag, starts_at, source, subject_id, measure, detail)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`.execute(
    db,
  );
  await sql`create index usage_by_tag_age on usage_by_tag (starts_at)`.execute(db);

  await sql`
    create function body_with_labels(body text, metadata json, tags text[]) returns text language sql stable as $$
      select case when metadata is null and tags is null then body
        else left(body, -1) || ',"metadata":' || coalesce(metadata::text, '{}')
          || ',"tags":' || coalesce(array_to_json(tags)::text, '[]') || '}' end
    $$`.execute(db);

  await sql`
    create function body_of_answer(body text, reply_metadata text) returns text language sql immutable as $$
      select coalesce(left(body, -1) || ',"replyToMetadata":' || reply_metadata || '}', body)
    $$`.execute(db);

  // Last, because every send waits from here to the end.
  await sql`alter table verifications add column metadata json, add column tags text[]`.execute(db);
  await sql`alter table message_groups add column metadata json, add column tags text[]`.execute(db);
  await sql`alter table events add column tags text[]`.execute(db);
  await sql`alter table messages add column metadata json, add column tags text[]`.execute(db);

  // What a repeated request answers. A function, so that the statement does not prepare the look-up where nothing is repeated.
  await sql`
    create function message_labels(message_id uuid) returns json language sql stable parallel safe
    return (
      select json_build_object('metadata', m.metadata, 'tags', m.tags) from messages m
      where m.id = message_labels.message_id and (m.metadata is not null or m.tags is not null)
    )`.execute(db);
}
