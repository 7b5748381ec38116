import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';

/** The newest and the oldest of what the database holds: they show which moment it is of. Null: there is none. */
export interface Ages {
  readonly newestMessage: Date | null;
  readonly newestEvent: Date | null;
  /** The end of the newest attempt among those of the 1,000 newest attempted messages. */
  readonly newestAttempt: Date | null;
  readonly newestPost: Date | null;
  /** Since when the oldest due message and delivery have been due. */
  readonly oldestDueMessage: Date | null;
  readonly oldestDueDelivery: Date | null;
  readonly dueMessages: number;
  readonly dueDeliveries: number;
}

export async function readAges(trx: Db | Trx): Promise<Ages> {
  const { rows } = await sql<Ages>`
    select (select created_at from messages order by id desc limit 1) as "newestMessage",
      (select occurred_at from events order by id desc limit 1) as "newestEvent",
      (select max(ended_at) from (select ended_at from attempts order by message_id desc limit 1000) newest)
        as "newestAttempt",
      (select began_at from delivery_attempts order by id desc limit 1) as "newestPost",
      m.since as "oldestDueMessage", m.count as "dueMessages", d.since as "oldestDueDelivery",
      d.count as "dueDeliveries"
    from (select min(due_at) as since, count(*)::int as count from dispatch_due where due_at <= now()) m,
      (select min(due_at) as since, count(*)::int as count from delivery_due where due_at <= now()) d`.execute(
    trx,
  );
  return rows[0]!;
}

/**
 * The newest heartbeat of any process. Null without one: the table is unlogged, so a physical backup and a standby have
 * no rows of it.
 */
export async function readLastHeartbeat(trx: Trx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(seen_at) as at from processes`.execute(trx);
  return rows[0]!.at;
}
