// Counts of messages by status, per hour and per day. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { deliveries: 'share' };

export async function up(db: Kysely<never>): Promise<void> {
  // One row per figure. `source` is a channel and `subject_id` the account, or `source` is 'webhook' and `subject_id`
  // the webhook. No foreign keys, because a late count for a tenant that was just deleted must not abort the counts of
  // all others.
  await sql`
    create table usage (
      tenant_id uuid not null,
      per text not null check (per in ('hour', 'day')),
      starts_at timestamptz not null,
      source text not null,
      subject_id uuid not null,
      measure text not null,
      detail text not null,
      total bigint not null,
      primary key (tenant_id, per, starts_at, source, subject_id, measure, detail)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`.execute(
    db,
  );
  await sql`create index usage_age on usage (starts_at)`.execute(db);

  // Messages counted as failed, so that a later receipt can take that back.
  await sql`
    create table usage_failed (
      message_id uuid primary key,
      error_code text not null,
      was_sent boolean not null
    )`.execute(db);

  // Rows written by transactions below `xid` are counted; these are all rows committed before `as_of`. Rows from there
  // to below `next_xid` are being counted, up to the row `after`.
  await sql`
    create table usage_progress (
      source text primary key,
      as_of timestamptz,
      xid xid8,
      next_as_of timestamptz,
      next_xid xid8,
      after uuid not null default '00000000-0000-0000-0000-000000000000'
    )`.execute(db);
  await sql`insert into usage_progress (source) values ('events'), ('delivery_attempts')`.execute(db);

  // Failed deliveries are counted in place, because they are few.
  await sql`create index deliveries_failed on deliveries (webhook_id, id) where state = 'failed'`.execute(db);
}
