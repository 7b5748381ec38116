import { parseId } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { readHistory } from '../messages/history.ts';
import { readDeliveryFacts } from './deliveries.ts';
import type { MessageFacts, ProcessFacts } from './facts.ts';
import { readPlace } from './place.ts';

/** Whose message it is: a tenant's id, or `anybody` for the operator. */
export type Owner = { readonly tenantId: string } | 'anybody';

/**
 * Reads everything that can hold up a message, in one snapshot. Null when there is no such message of this owner. Reads
 * by primary keys and indexes, and counts up to `mostCounted`. So its cost does not grow with the messages that wait.
 */
export async function readMessageFacts(
  db: Db,
  owner: Owner,
  messageId: string,
): Promise<MessageFacts | null> {
  return inSnapshot(db, async (trx) => {
    const tenantId = owner === 'anybody' ? await tenantOf(trx, messageId) : owner.tenantId;
    if (tenantId === null) return null;
    const history = await readHistory(trx, tenantId, messageId);
    if (history === null) return null;
    await readInOrder(trx);
    const place = await readPlace(trx, history.message);
    const deliveries = await readDeliveryFacts(trx, history.deliveries);
    return { ...place, history, deliveries, processes: await readProcesses(trx) };
  });
}

/**
 * The message that an id names: `msg_…`, `evt_…` (the message of that event), or a bare id of either. Null when there is
 * none.
 */
export async function findMessageOf(db: Db, text: string): Promise<string | null> {
  const [asMessage, asEvent] = [parseId('msg', text), parseId('evt', text)];
  if (asMessage !== null && (await tenantOf(db, asMessage)) !== null) return asMessage;
  if (asEvent === null) return null;
  const { rows } = await sql<{ message_id: string | null }>`
    select message_id from events where id = ${asEvent}::uuid`.execute(db);
  return rows[0]?.message_id ?? null;
}

async function tenantOf(db: Db | Trx, messageId: string): Promise<string | null> {
  const { rows } = await sql<{ tenant_id: string }>`
    select tenant_id from messages where id = ${messageId}::uuid`.execute(db);
  return rows[0]?.tenant_id ?? null;
}

/** Runs statements that all see the database as it was at the first of them. */
function inSnapshot<Result>(db: Db, read: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** None where they cannot be read: before their migration, and on a standby, which has no unlogged tables. */
async function readProcesses(trx: Trx): Promise<readonly ProcessFacts[]> {
  const known = await sql<{ readable: boolean }>`
    select to_regclass('processes') is not null and not pg_is_in_recovery() as readable`.execute(trx);
  if (!known.rows[0]!.readable) return [];
  const { rows } = await sql<ProcessFacts>`
    select id, name, version, host, pid, started_at as "startedAt", seen_at as "seenAt"
    from processes order by seen_at desc limit 200`.execute(trx);
  return rows;
}
