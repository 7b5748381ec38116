import type { Db } from '@notify/db/connection';
import { ensurePartitions } from '@notify/db/maintenance';
import { sql } from 'kysely';

/** Messages of the one conversation that has more than one. */
const longThread = 5_000;

/**
 * Fills a tenant with conversations, one for each contact: each with one unread message, and the first with a long
 * thread. Returns the id of that one.
 */
export async function loadContacts(
  db: Db,
  { tenantId, accountId }: { readonly tenantId: string; readonly accountId: string },
  count: number,
): Promise<string> {
  await ensurePartitions(db);
  await sql`
    create unlogged table contacts as
    select n, uuidv7() as id, uuidv7() as message_id from generate_series(1, ${count}::int) as n`.execute(db);
  await insertMessages(db, { tenantId, accountId }, sql`select message_id, id, n from contacts`);
  await sql`
    insert into conversations (id, tenant_id, account_id, channel, contact, address, profile, latest_id, last_inbound_at)
    select id, ${tenantId}::uuid, ${accountId}::uuid, 'sms', (15550000000 + n)::text, '+' || (15550000000 + n),
      json_build_object('name', 'Contact ' || n), message_id, now()
    from contacts`.execute(db);
  await insertMessages(
    db,
    { tenantId, accountId },
    sql`
      select uuidv7() as message_id, (select id from contacts where n = 1) as id, n
      from generate_series(1, ${longThread}::int) as n`,
  );
  const { rows } = await sql<{ id: string }>`select id from contacts where n = 1`.execute(db);
  await sql`drop table contacts`.execute(db);
  await sql`vacuum analyze messages, conversations, conversation_messages`.execute(db);
  return rows[0]!.id;
}

/** Inserts inbound messages with their places in a thread. */
async function insertMessages(
  db: Db,
  { tenantId, accountId }: { readonly tenantId: string; readonly accountId: string },
  source: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    with written as materialized (${source}),
    stored as (
      insert into messages (id, tenant_id, channel_account_id, channel, recipient, sender, type, body, bulk, status,
        external_id, emitted, expires_at, received_at)
      select message_id, ${tenantId}::uuid, ${accountId}::uuid, 'sms', '+15005550006', '+' || (15550000000 + n), 'text',
        json_build_object('text', 'Is my parcel ' || n || ' on its way?'), false, 'delivered', 'SM' || message_id,
        '{received}', now(), now()
      from written
    )
    insert into conversation_messages (conversation_id, message_id, inbound)
    select id, message_id, true from written`.execute(db);
}
