import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { accountKinds } from './account-kinds.ts';
import { conversationKinds } from './conversation-kinds.ts';
import type { ExportKinds } from './export-kinds.ts';
import { messageKinds } from './message-kinds.ts';
import { webhookKinds } from './webhook-kinds.ts';

/** How each kind is read. */
export const exportQueries: ExportKinds = {
  ...accountKinds,
  ...messageKinds,
  ...conversationKinds,
  ...webhookKinds,
};

/** The names of the kinds, in the order of an export. */
export const exportKinds: readonly string[] = Object.keys(exportQueries);

/** What no export has, as an operator is told. */
export const leftOutOfExports: readonly string[] = [
  'passwords, and the hashes of passwords, API keys, service tokens and links',
  'settings of channel accounts, which are encrypted as a whole, and the keys of linked WhatsApp devices',
  'secrets of webhooks and of the list of events',
  'one-time codes',
  'files of messages, which their providers and senders have',
];

/** Takes some rows of a kind. The next rows are read when it resolves. */
export type ExportSink = (kind: string, rows: readonly object[]) => Promise<void>;

/** Rows in memory at once. */
const rowsAtOnce = 500;

/**
 * Reads everything of a tenant, kind by kind, in one snapshot: nothing that happens meanwhile shows in a part of it. Returns
 * the number of rows of each kind. A rejection of `take` ends it.
 */
export async function exportTenant(
  db: Db,
  tenantId: string,
  take: ExportSink,
): Promise<Record<string, number>> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (trx) => {
    // The role's limits are meant for short statements. A reader of the export may be slow, but one that has stopped keeps
    // Postgres from cleaning up and from making partitions.
    await sql`select set_config('statement_timeout', '0', true), set_config('transaction_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '5min', true)`.execute(trx);
    const counts: Record<string, number> = {};
    for (const [kind, select] of Object.entries(exportQueries))
      counts[kind] = await readInSteps(trx, select(tenantId), (rows) => take(kind, rows));
    return counts;
  });
}

/** Reads rows by a cursor, so that no more than `rowsAtOnce` are in memory. Returns how many there were. */
async function readInSteps(
  trx: Trx,
  select: RawBuilder<object>,
  take: (rows: readonly object[]) => Promise<void>,
): Promise<number> {
  await sql`declare exported no scroll cursor for ${select}`.execute(trx);
  let count = 0;
  for (;;) {
    const { rows } = await sql<object>`fetch forward ${sql.lit(rowsAtOnce)} from exported`.execute(trx);
    if (rows.length === 0) break;
    await take(rows);
    count += rows.length;
  }
  await sql`close exported`.execute(trx);
  return count;
}
