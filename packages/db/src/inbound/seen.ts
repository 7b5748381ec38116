import { sql } from 'kysely';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { StorableInbound } from './storable.ts';

/** A message and the id that it has here. */
export interface Seen<Item> {
  readonly item: Item;
  readonly messageId: string;
  /** Whether its account has never had the provider's id, nor had it earlier in the same batch. */
  readonly isNew: boolean;
}

/**
 * Gives each message its id. A provider's id that its account has had keeps the id of that time. If another transaction
 * is storing the same id, waits until it ends. Ids are taken in the order of their keys, so batches never deadlock.
 */
export async function recognise<Item extends StorableInbound>(
  trx: Statements,
  items: readonly Item[],
): Promise<Seen<Item>[]> {
  const byKey = new Map(items.toReversed().map((item) => [keyOf(item), item]));
  const first = items.filter((item) => byKey.get(keyOf(item)) === item);
  const [taken, known] = await Promise.all([
    // The ids are drawn before the rows are sorted: messages keep the order in which they arrived.
    sql<{ id: string }>`
      insert into inbound_seen (account_id, external_id, message_id)
      select account_id, external_id, new_id
      from (select *, uuidv7() as new_id from ${unnestRows('u', first, columns)}) i
      order by account_id, external_id
      on conflict do nothing
      returning message_id as id`.execute(trx),
    sql<{ id: string }>`
      select (
        select s.message_id from inbound_seen s where s.account_id = i.account_id and s.external_id = i.external_id
      ) as id
      from ${unnestRows('i', first, columns, 'ordinal')} order by ordinal`.execute(trx),
  ]);
  const created = new Set(taken.rows.map((row) => row.id));
  const ids = new Map(first.map((item, index) => [keyOf(item), known.rows[index]!.id]));
  await lockRepeated(
    trx,
    first.filter((item) => !created.has(ids.get(keyOf(item))!)),
  );
  return items.map((item) => {
    const messageId = ids.get(keyOf(item))!;
    return { item, messageId, isNew: byKey.get(keyOf(item)) === item && created.has(messageId) };
  });
}

const columns = {
  account_id: uuid((one: StorableInbound) => one.account.id),
  external_id: text((one: StorableInbound) => one.seenId),
};

/**
 * Locks the ids that were known. That is a write, so the commit waits for the synchronous standby, and the provider's
 * repetition is answered only if a promotion would keep the message.
 */
async function lockRepeated(trx: Statements, repeated: readonly StorableInbound[]): Promise<void> {
  if (repeated.length === 0) return;
  await sql`
    select from ${unnestRows('i', repeated, columns)} join inbound_seen s using (account_id, external_id)
    for key share of s`.execute(trx);
}

function keyOf({ account, seenId }: StorableInbound): string {
  return `${account.id} ${seenId}`;
}
