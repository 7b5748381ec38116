// Messages that leave at a time of their own. Compatible from version 0.1.0, which accepts none.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { dispatch_due: 'access exclusive', messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Apart from `dispatch_due`, so that a million of them cost nothing before they are due: `dispatch_due` stays small, and
  // autovacuum, which reads all of its indexes again and again, stays cheap. Rows only ever move from here to there.
  await sql`
    create table scheduled_messages (
      message_id uuid primary key,
      account_id uuid not null,
      tenant_id uuid not null,
      bulk boolean not null,
      due_at timestamptz not null,
      expires_at timestamptz not null
    ) with (
      autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
      autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 10000
    )`.execute(db);
  await sql`create index scheduled_messages_due on scheduled_messages (due_at)`.execute(db);
  await sql`create index scheduled_messages_account on scheduled_messages (account_id, message_id)`.execute(
    db,
  );

  // A function, so that the statements that ask it for few rows, or for none, do not prepare its look-ups.
  await sql`
    create function message_waits(message_id uuid) returns boolean language sql stable parallel safe
    return exists (select from dispatch_due d where d.message_id = message_waits.message_id)
      or exists (select from scheduled_messages s where s.message_id = message_waits.message_id)`.execute(db);

  // Last, because every send waits from here to the end.
  // The time that the sender chose. Null for a message that was to leave at once.
  await sql`alter table dispatch_due add column scheduled_at timestamptz`.execute(db);
  await sql`alter table messages add column scheduled_at timestamptz`.execute(db);
}
