import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';

/** A sent stanza of an account, by WhatsApp's id. */
export interface SentId {
  readonly accountId: string;
  readonly id: string;
}

/** Stores a message of ours that is about to be sent, sealed, by WhatsApp's id. A repeat replaces it. */
export async function saveSent(
  db: Db,
  { accountId, id }: SentId,
  messageId: string,
  content: string,
): Promise<void> {
  await sql`
    insert into whatsapp_sent (account_id, id, message_id, content)
    values (${accountId}, ${id}, ${messageId}, ${content})
    on conflict (account_id, id) do update set content = excluded.content, message_id = excluded.message_id`.execute(
    db,
  );
}

/** A sent message that a device requests again. */
export interface AskedAgain {
  /** Sealed. */
  readonly content: string;
  /** How often this device has requested it, this time included. */
  readonly times: number;
}

/** Counts a device's request to send a message again. Null when the message is no longer kept. */
export async function countAskedAgain(
  db: Db,
  { accountId, id }: SentId,
  device: string,
): Promise<AskedAgain | null> {
  const { rows } = await sql<AskedAgain>`
    update whatsapp_sent set asked_again = asked_again
      || jsonb_build_object(${device}::text, coalesce((asked_again ->> ${device}::text)::int, 0) + 1)
    where account_id = ${accountId} and id = ${id}
    returning content, (asked_again ->> ${device}::text)::int as times`.execute(db);
  return rows[0] ?? null;
}

/** Our message ids of these stanzas, in their order. Null for a message that is no longer kept. */
export async function messagesSentAs(db: Db, sent: readonly SentId[]): Promise<(string | null)[]> {
  const asked = unnestRows(
    'r',
    sent,
    { account_id: uuid(({ accountId }) => accountId), id: text(({ id }) => id) },
    'place',
  );
  const { rows } = await sql<{ message_id: string | null }>`
    select s.message_id from ${asked}
    left join whatsapp_sent s on s.account_id = r.account_id and s.id = r.id
    order by r.place`.execute(db);
  return rows.map((row) => row.message_id);
}

/** Removes messages sent more than three days ago, up to 5,000 of them. Returns how many. */
export async function dropOldSent(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from whatsapp_sent where (account_id, id) in (
      select account_id, id from whatsapp_sent where created_at < now() - interval '3 days' limit 5000
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
