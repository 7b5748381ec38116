import { lowestId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { duePlace, type Ended, failWaiting, scheduledPlace } from '../messages/expire.ts';

/** A server that holds a restored database. */
export interface RestoredServer {
  readonly now: Date;
  /**
   * Names the server, its timeline and its start. A point-in-time recovery begins a timeline, a dump comes to another
   * server, and every restore starts the server. So a name that was stored before a restore differs.
   */
  readonly name: string;
}

/** Null while the server recovers, because it then takes no writes. */
export async function readRestoredServer(db: Db): Promise<RestoredServer | null> {
  const recovery = await sql<{ is_on: boolean }>`select pg_is_in_recovery() as is_on`.execute(db);
  if (recovery.rows[0]!.is_on) return null;
  const { rows } = await sql<RestoredServer>`
    select clock_timestamp() as now, concat_ws(' ', (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), extract(epoch from pg_postmaster_start_time())) as name`.execute(
    db,
  );
  return rows[0]!;
}

/** Due messages of one account that may have been sent after the moment of the backup. */
export interface DueOfAccount {
  readonly accountId: string;
  readonly tenantId: string;
  /** Names of the account and its tenant; null if it is gone. */
  readonly account: string | null;
  readonly tenant: string | null;
  readonly provider: string | null;
  /** Sealed. Null if the account is gone. */
  readonly settings: string | null;
  readonly due: number;
  readonly oldest: Date;
  readonly newest: Date;
}

/** The due messages that were accepted before `acceptedBefore`, by account, most first. */
export async function listDue(db: Db, acceptedBefore: Date): Promise<DueOfAccount[]> {
  const { rows } = await sql<DueOfAccount>`
    select d.account_id as "accountId", d.tenant_id as "tenantId", a.name as account, t.name as tenant, a.provider,
      a.settings, d.due, d.oldest, d.newest
    from (
      select d.account_id, d.tenant_id, count(*)::int as due, min(m.created_at) as oldest, max(m.created_at) as newest
      from (
        select message_id, account_id, tenant_id, due_at from dispatch_due
        union all select message_id, account_id, tenant_id, due_at from scheduled_messages
      ) d join messages m on m.id = d.message_id
      where d.due_at <= now() and m.created_at < ${acceptedBefore} group by d.account_id, d.tenant_id
    ) d
    left join channel_accounts a on a.id = d.account_id left join tenants t on t.id = d.tenant_id
    order by d.due desc, d.account_id`.execute(db);
  return rows;
}

/**
 * Ends every lease, because its holder is gone: what was under way at the moment of the backup goes on at once, as an
 * unknown outcome, and deliveries are posted again. Returns how many of each there were.
 */
export async function endLeases(db: Db): Promise<{ readonly messages: number; readonly deliveries: number }> {
  const messages = await sql`
    update dispatch_due set claimed_until = now() where claimed_until > now()`.execute(db);
  const deliveries = await sql`
    update delivery_due set claimed_until = now() where claimed_until > now()`.execute(db);
  return {
    messages: Number(messages.numAffectedRows ?? 0),
    deliveries: Number(deliveries.numAffectedRows ?? 0),
  };
}

/** Deliveries that wait, and are posted with the event ids that they had. */
export async function countDeliveries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from delivery_due`.execute(db);
  return rows[0]!.count;
}

const restored = {
  errorCode: 'outcome-unknown',
  error: 'The database was restored from a backup. The message may or may not have been sent since.',
};

/**
 * Fails the due messages of an account that were accepted before `acceptedBefore`, with `outcome-unknown`: nobody knows
 * whether they were sent after the moment of the backup. A receipt that arrives still corrects them. Messages under a
 * lease stay. Returns how many it failed. Can be stopped and run again.
 */
export async function failDue(
  db: Db,
  accountId: string,
  acceptedBefore: Date,
  batchRows = 1_000,
): Promise<number> {
  const isDue = sql`d.account_id = ${accountId}::uuid and d.due_at <= now() and exists (
    select from messages m where m.id = d.message_id and m.created_at < ${acceptedBefore})`;
  let failed = 0;
  for (const place of [scheduledPlace, duePlace])
    for (let ended: Ended | null = null; ended === null || ended.count > 0; failed += ended.count)
      ended = await failWaiting(db, batchRows, isDue, restored, false, place);
  return failed;
}

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

/**
 * Makes every account due whose updates a provider posts or keeps for us, so that it is subscribed again. What was read
 * last is forgotten: the provider still has what nobody has confirmed, and repeats are recognised. Returns how many
 * there are.
 */
export async function renewUpdateSources(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update update_sources set due_at = now(), holder = null, leased_until = null, next_update = null`.execute(
    db,
  );
  return Number(numAffectedRows);
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
