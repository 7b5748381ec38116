import { lowestIdAt, numberedHours } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { inSteps, removedAtOnce } from './in-steps.ts';

/** How long a provider's id is known. No provider repeats a message for that long. */
const seenDays = 30;

export interface RemovedInbound {
  readonly seen: number;
  readonly pairings: number;
  readonly numbered: number;
  readonly conversations: number;
}

/**
 * Removes the provider's ids of messages after 30 days, expired pairing links, numbered messages whose answer would come too late, and conversations whose messages are older
 * than `keepDays` or whose account was removed a day ago.
 */
export async function removeOldInbound(db: Db, keepDays: number): Promise<RemovedInbound> {
  const { rows } = await sql<{ before: Date }>`
    select now() - make_interval(days => ${keepDays}::int) as before`.execute(db);
  const oldest = lowestIdAt(rows[0]!.before);
  return {
    seen: await inSteps(() =>
      sql`
        delete from inbound_seen where ctid in (
          select ctid from inbound_seen
          where seen_at < now() - make_interval(days => ${sql.lit(seenDays)}) limit ${removedAtOnce}
        )`.execute(db),
    ),
    pairings: await inSteps(() =>
      sql`
        delete from pairings where hash in (
          select hash from pairings where expires_at < now() limit ${removedAtOnce}
        )`.execute(db),
    ),
    numbered: await inSteps(() =>
      sql`
        delete from numbered_messages where ctid in (
          select ctid from numbered_messages
          where sent_at < now() - make_interval(hours => ${sql.lit(numberedHours)}) limit ${removedAtOnce}
        )`.execute(db),
    ),
    conversations:
      (await removeConversations(db, sql`c.latest_id < ${oldest}::uuid`)) +
      (await removeConversations(
        db,
        sql`c.account_id = any (array(select id from channel_accounts where deleted_at < now() - interval '1 day'))`,
      )),
  };
}

/**
 * Removes the conversations of a deleted tenant and what is known of their accounts' messages. What belongs to an account,
 * such as consents, went with it.
 */
export async function purgeInbound(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct account_id as id from conversations where tenant_id = ${tenantId}`.execute(db);
  let removed = 0;
  for (const { id } of rows)
    for (const table of ['inbound_seen', 'inbound_pieces'] as const)
      removed += await inSteps(() =>
        sql`
          delete from ${sql.table(table)} where ctid in (
            select ctid from ${sql.table(table)} where account_id = ${id} limit ${removedAtOnce}
          ) and account_id = ${id}`.execute(db),
      );
  return removed + (await removeConversations(db, sql`c.tenant_id = ${tenantId}`));
}

/** A conversation may have many messages. */
const conversationsAtOnce = 200;

/** Locks conversations in the order of their keys, as everybody does, and leaves out those that somebody else has locked. */
function removeConversations(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  return inSteps(
    () =>
      sql`
        with gone as (
          delete from conversations where id = any (array(
            select c.id from conversations c where ${condition}
            order by c.account_id, c.contact limit ${conversationsAtOnce} for update skip locked
          )) returning id
        ),
        emptied as (
          delete from conversation_messages where conversation_id = any (array(select id from gone))
        )
        select id from gone`.execute(db),
    conversationsAtOnce,
  );
}
