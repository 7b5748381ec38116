import { lowestId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/**
 * Marks every waiting message that is due by now and was accepted before `acceptedBefore` as a possible duplicate.
 * After the database was restored to an earlier state, such a message may have been sent in the lost time; a message
 * due later was not. Marks stay, so this can be stopped and run again. Locks up to `batchRows` rows at a time. Returns
 * how many messages it marked.
 */
export async function markPossibleDuplicates(
  db: Db,
  acceptedBefore: Date,
  batchRows = 1_000,
): Promise<number> {
  let marked = 0;
  for (let after: string | null = lowestId; after !== null;) {
    const batch: { marked: number; last: string | null } = await markNext(
      db,
      acceptedBefore,
      after,
      batchRows,
    );
    marked += batch.marked;
    after = batch.last;
  }
  return marked;
}

/** Makes every cursor of the list of events expire, because it may be from the lost time. */
export async function renewEventEpoch(db: Db): Promise<void> {
  await sql`update event_epoch set epoch = uuidv7()`.execute(db);
}

async function markNext(
  db: Db,
  acceptedBefore: Date,
  after: string,
  limit: number,
): Promise<{ marked: number; last: string | null }> {
  const { rows } = await sql<{ marked: number; last: string | null }>`
    with waiting as materialized (
      select message_id, due_at from (
        (select message_id, due_at from dispatch_due where message_id > ${after}::uuid order by message_id limit ${limit})
        union all
        (select message_id, due_at from scheduled_messages where message_id > ${after}::uuid order by message_id limit ${limit})
      ) both_places order by message_id limit ${limit}
    ),
    locked as (
      select id from messages
      where id = any (array(select message_id from waiting where due_at <= now()))
        and created_at < ${acceptedBefore} and not possible_duplicate
      order by id for no key update
    ),
    marked as (
      update messages set possible_duplicate = true where id = any (array(select id from locked)) returning 1
    )
    select (select count(*)::int from marked) as marked,
      (select message_id from waiting order by message_id desc limit 1) as last`.execute(db);
  return rows[0]!;
}
