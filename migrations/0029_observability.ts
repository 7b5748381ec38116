// Processes, samples and log levels for operators, and the trace of a message. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `health` is where the process serves its health checks and metrics. `figures` is JSON for `notify top`.
  await sql`
    create unlogged table processes (
      id uuid primary key,
      name text not null,
      version text not null,
      host text not null,
      pid integer not null,
      health text,
      figures jsonb not null default '{}',
      started_at timestamptz not null,
      seen_at timestamptz not null default now()
    ) with (fillfactor = 50)`.execute(db);
  // At most one row: what one process sampled for all. `taken_by` is an id of `processes`.
  await sql`
    create unlogged table samples (
      only_row boolean primary key default true check (only_row),
      taken_by uuid not null,
      taken_at timestamptz not null default now(),
      figures jsonb not null
    ) with (fillfactor = 50)`.execute(db);
  // Changes of LOG_LEVEL at run time. `process` and `component` are null where a level is for all.
  await sql`
    create table log_levels (
      id uuid primary key default uuidv7(),
      process text,
      component text,
      level text not null,
      until timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  // The sender's W3C `traceparent`, where it gave one and tracing is on. Else the trace's id is made from the message's.
  await sql`alter table messages add column traceparent text`.execute(db);
}
