import { setTimeout as wait } from 'node:timers/promises';
import { type Db, isDatabaseAway } from '@notify/db/connection';
import type { UpdateRecord } from '@notify/testkit';
import { sql } from 'kysely';
import type { System } from './system.ts';

/** Work that still waits. */
export interface Waiting {
  readonly messages: number;
  /** Fallback groups that may still begin a route. */
  readonly groups: number;
  readonly deliveries: number;
  readonly receipts: number;
  /** Updates at Telegram that no worker has confirmed. */
  readonly updates: number;
}

const lookMs = 300;
/** Time limit of a recovery, in ms: longer than the longest wait before a next attempt. */
const quietWithinMs = 660_000;

/** Waits until no work is left, for 11 minutes at most. Resolves with the work that is left. */
export async function untilQuiet(system: Pick<System, 'db' | 'telegram'>): Promise<Waiting> {
  const deadline = performance.now() + quietWithinMs;
  for (;;) {
    const waiting = await look(system);
    if (Object.values(waiting).every((count) => count === 0)) return waiting;
    if (performance.now() > deadline) return waiting;
    await wait(lookMs);
  }
}

/** Unmatched receipts are tried less and less often; only those due within 5 s count. */
async function look({ db, telegram }: Pick<System, 'db' | 'telegram'>): Promise<Waiting> {
  // Asked first: what was confirmed by then is stored.
  const { history } = await telegram.ask<{ history: readonly UpdateRecord[] }>('updates');
  const { rows } = await sql<Omit<Waiting, 'updates'>>`
    select (select count(*)::int from dispatch_due) + (select count(*)::int from scheduled_messages) as messages,
      (select count(*)::int from message_groups where ended_at is null) as groups,
      (select count(*)::int from delivery_due) as deliveries,
      (select count(*)::int from receipts where apply_at < now() + interval '5 seconds') as receipts`.execute(
    db,
  );
  return { ...rows[0]!, updates: history.filter(({ confirmed }) => !confirmed).length };
}

/**
 * Time from `until` to the end of the last message or delivery begun between `from` and `until`, in ms. A message
 * ends when it is sent or failed, a delivery as `ended_at` says. 0 when all had ended before.
 */
export async function recoveryMs(db: Db, from: Date, until: Date): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select greatest(0, extract(epoch from greatest(
      (select max(least(sent_at, failed_at)) from messages where created_at between ${from} and ${until}),
      (select max(ended_at) from deliveries where created_at between ${from} and ${until})
    ) - ${until}::timestamptz) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** The database's time. Waits while the database is away. */
export async function databaseNow(db: Db): Promise<Date> {
  for (;;) {
    try {
      const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
      return rows[0]!.now;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await wait(lookMs);
    }
  }
}
