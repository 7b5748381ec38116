import type { Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type AcceptItem, acceptMessages, type AcceptResult } from '@notify/db/messages';
import { type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { rules } from '../dispatching.ts';

export const second = 1_000;
export const hour = 3_600_000;
export const day = 24 * hour;

/** What a message to be sent later was answered with. */
interface Scheduled {
  readonly result: AcceptResult | undefined;
  readonly accounts: readonly Wake[];
  readonly sendAt: Date;
  /** Its id; empty unless it was accepted. */
  readonly id: string;
}

/** Schedules a message of the tenant in so many ms, by the database's clock. */
export async function schedule(
  db: Db,
  tenant: TestTenant,
  inMs: number,
  changes: Partial<AcceptItem> = {},
): Promise<Scheduled> {
  const sendAt = await inTime(db, inMs);
  const { results, accounts } = await acceptMessages(db, [textItem(tenant, { sendAt, ...changes })], rules);
  const [result] = results;
  return { result, accounts, sendAt, id: result?.kind === 'accepted' ? result.message.id : '' };
}

/** So many ms from now, by the database's clock. */
export async function inTime(db: Db, ms: number): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select date_trunc('milliseconds', now()) + make_interval(secs => ${ms}::float8 / 1000) as at`.execute(db);
  return rows[0]!.at;
}

/** Lets time pass for every scheduled message. */
export async function pass(db: Db, ms: number): Promise<void> {
  const back = sql`make_interval(secs => ${ms}::float8 / 1000)`;
  await sql`update scheduled_messages set due_at = due_at - ${back}, expires_at = expires_at - ${back}`.execute(
    db,
  );
  await sql`update dispatch_due set due_at = due_at - ${back}, expires_at = expires_at - ${back},
    scheduled_at = scheduled_at - ${back}`.execute(db);
  await sql`update messages set scheduled_at = scheduled_at - ${back}, expires_at = expires_at - ${back},
    created_at = created_at - ${back}`.execute(db);
}
