import type { Db } from '@notify/db/connection';
import { listConversations, markRead, readThread } from '@notify/db/conversations';
import { inboundAccountOf, inboundText, makeTenant, openTestDb, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { storeInbound } from '../store-inbound.ts';

const messages = 5_000;
/** What a page may read besides its rows: the end of every partition. */
const readAtMost = 50;

test('a page from the middle of a long conversation, and marks, read few of its messages', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1 });
  const tenant = await makeTenant(db);
  const { tenantId } = tenant;
  await storeInbound(db, [inboundText(inboundAccountOf(tenant))]);
  const [conversation] = (await listConversations(db, { tenantId, limit: 1 })).conversations;
  const conversationId = conversation!.id;
  const { rows } = await sql<{ id: string }>`
    insert into conversation_messages (conversation_id, message_id, inbound)
    select ${conversationId}::uuid, uuidv7(), true from generate_series(1, ${messages})
    returning message_id as id`.execute(db);
  const middle = rows[messages / 2]!.id;

  const before = await entriesRead(db);
  const page = await readThread(db, {
    tenantId,
    accountIds: null,
    conversationId,
    before: middle,
    limit: 10,
  });
  const afterPage = await entriesRead(db);
  const marked = await markRead(db, { tenantId, accountIds: null, conversationId, messageId: middle });
  await markRead(db, { tenantId, accountIds: null, conversationId, messageId: null });
  const afterMark = await entriesRead(db);

  expect(page!.next).toBe(rows[messages / 2 - 10]!.id);
  expect(marked).toMatchObject({ kind: 'marked' });
  expect(afterPage - before).toBeLessThan(readAtMost);
  expect(afterMark - afterPage).toBeLessThan(readAtMost);
  await db.destroy();
});

/** Index entries and rows of conversations' messages that were read so far. */
async function entriesRead(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(idx_tup_read, 0))::int + (
      select sum(seq_tup_read)::int from pg_stat_user_tables where relname like 'conversation_messages%'
    ) as read
    from pg_stat_user_indexes where relname like 'conversation_messages%'`.execute(db);
  return rows[0]!.read;
}
