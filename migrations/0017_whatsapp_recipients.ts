// Linked WhatsApp devices: the message of each stanza, requests to send it again, and numbers without a LID. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { whatsapp_sent: 'access exclusive', whatsapp_contacts: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // A receipt names a message by the id of its stanza, and may arrive before the server's answer. `asked_again` counts
  // the requests of each device that could not read the message.
  await sql`
    alter table whatsapp_sent add column message_id uuid, add column asked_again jsonb not null default '{}'`.execute(
    db,
  );
  // WhatsApp named no LID of this number. It is asked again only after this time.
  await sql`alter table whatsapp_contacts add column no_lid_until timestamptz`.execute(db);
}
