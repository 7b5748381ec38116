import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Keeps a message as it is about to be sent, sealed, by WhatsApp's id; a repeat replaces it. */
export async function saveSent(db: Db, accountId: string, id: string, content: string): Promise<void> {
  await sql`
    insert into whatsapp_sent (account_id, id, content) values (${accountId}, ${id}, ${content})
    on conflict (account_id, id) do update set content = excluded.content`.execute(db);
}

/** A message as it was sent, sealed; null when it is not kept any more. */
export async function findSent(db: Db, accountId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ content: string }>`
    select content from whatsapp_sent where account_id = ${accountId} and id = ${id}`.execute(db);
  return rows[0]?.content ?? null;
}

/** Forgets messages sent more than three days ago, up to 5,000 of them. Returns how many. */
export async function dropOldSent(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from whatsapp_sent where (account_id, id) in (
      select account_id, id from whatsapp_sent where created_at < now() - interval '3 days' limit 5000
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
