import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/**
 * Records that WhatsApp has accepted a message: its recipient is a known contact from now on, and a throttled account
 * is slowed one step less. Returns how many steps are left.
 */
export async function markTaken(db: Db, accountId: string, recipient: string): Promise<number> {
  const { rows } = await sql<{ pushbacks: number }>`
    with known as (
      update whatsapp_contacts set unproven = false, refusals = 0, refused_until = null
      where account_id = ${accountId} and recipient = ${recipient} and (unproven or refusals > 0)
    ),
    faster as (
      update whatsapp_links set pushbacks = pushbacks - 1 where account_id = ${accountId} and pushbacks > 0
      returning pushbacks
    )
    select pushbacks from faster`.execute(db);
  return rows[0]?.pushbacks ?? 0;
}

/**
 * Records that WhatsApp has refused a message because of its recipient (463). The recipient becomes a new contact again
 * and is held for a day, and twice as long with every further refusal in a row, up to 30 days.
 */
export async function markRefused(db: Db, accountId: string, recipient: string): Promise<void> {
  await sql`
    update whatsapp_contacts set unproven = true, refusals = refusals + 1,
      refused_until = now() + least(interval '720 hours', interval '24 hours' * 2 ^ least(refusals, 10))
    where account_id = ${accountId} and recipient = ${recipient}`.execute(db);
}

/**
 * Records that WhatsApp throttled the account. Returns how many steps it is slowed; steps older than a day are over.
 */
export async function notePushback(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ pushbacks: number }>`
    update whatsapp_links set pushed_back_at = now(),
      pushbacks = case when pushed_back_at > now() - interval '1 day' then least(pushbacks + 1, 20) else 1 end
    where account_id = ${accountId} returning pushbacks`.execute(db);
  return rows[0]?.pushbacks ?? 1;
}
