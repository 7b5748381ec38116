import { setTimeout as wait } from 'node:timers/promises';
import { type Db, isDatabaseAway } from '@notify/db/connection';
import { sql } from 'kysely';

/** What still waits to be done. */
export interface Waiting {
  readonly messages: number;
  readonly deliveries: number;
  readonly receipts: number;
}

const lookMs = 300;
/** The longest that all may take to come to rest after a fault, in ms: longer than the longest wait before a next attempt. */
const quietWithinMs = 660_000;

/** Resolves with what still waits: nothing, as soon as nothing does, or the rest after 11 minutes. */
export async function untilQuiet(db: Db): Promise<Waiting> {
  const deadline = performance.now() + quietWithinMs;
  for (;;) {
    const waiting = await look(db);
    if (waiting.messages + waiting.deliveries + waiting.receipts === 0) return waiting;
    if (performance.now() > deadline) return waiting;
    await wait(lookMs);
  }
}

/** Reports that no message will ever claim are looked at ever more seldom; those younger than a few seconds count. */
async function look(db: Db): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select (select count(*)::int from dispatch_due) as messages,
      (select count(*)::int from delivery_due) as deliveries,
      (select count(*)::int from receipts where apply_at < now() + interval '5 seconds') as receipts`.execute(
    db,
  );
  return rows[0]!;
}

/**
 * How long after `until` the last of what had begun between `from` and `until` came to its end, in ms: messages were
 * handed over or had failed, webhooks were delivered. 0 when all had ended before.
 */
export async function recoveryMs(db: Db, from: Date, until: Date): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select greatest(0, extract(epoch from greatest(
      (select max(least(sent_at, failed_at)) from messages where created_at between ${from} and ${until}),
      (select max(ended_at) from deliveries where created_at between ${from} and ${until})
    ) - ${until}::timestamptz) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** The time by the database, once it answers. */
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
