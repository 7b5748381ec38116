import type { MessageBody } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';

/** A message as its row is now. */
export interface MessageRow extends Selectable<
  Omit<Database['messages'], 'body' | 'reports' | 'resend_of' | 'resent_as'>
> {
  readonly body: MessageBody;
}

/** All columns by name, because a statement with `*` cannot be prepared (`prepared.ts`). */
export const messageColumns = sql`id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, external_id,
  error, error_code, segments, parts, delivered_parts, emitted, possible_duplicate, attempts,
  created_at, updated_at, expires_at, sent_at, delivered_at, read_at, failed_at`;

/** A request for one message by the holder of an API key. */
export interface LookUp {
  readonly tenantId: string;
  readonly keyId: string;
  readonly messageId: string;
}

/** Null when the tenant has no message of that id. */
export type LookedUp = MessageRow | null | 'key-revoked';

/**
 * Looks up messages for the holders of API keys, in the order asked. Checks the keys too: for a revoked one the answer
 * is `key-revoked`. Uses `any`, which costs a fifth of a join, because a join walks the partitions again for every row.
 */
export async function findMessages(db: Db, lookUps: readonly LookUp[]): Promise<LookedUp[]> {
  const [held, found] = await Promise.all([
    holdersOf(
      db,
      lookUps.map((one) => one.keyId),
    ),
    messagesOf(db, lookUps),
  ]);
  return lookUps.map(({ tenantId, keyId, messageId }) => {
    if (held.get(keyId) !== tenantId) return 'key-revoked';
    const message = found.get(messageId);
    return message?.tenant_id === tenantId ? message : null;
  });
}

/** The tenants of those keys that are not revoked, by key. */
async function holdersOf(db: Db, keyIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from api_keys
    where id = any (${[...new Set(keyIds)]}::uuid[]) and revoked_at is null`.execute(db);
  return new Map(rows.map((row) => [row.id, row.tenant_id]));
}

async function messagesOf(db: Db, lookUps: readonly LookUp[]): Promise<Map<string, MessageRow>> {
  const ids = new Set(lookUps.map((one) => one.messageId));
  const tenants = new Set(lookUps.map((one) => one.tenantId));
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages where id = any (${[...ids]}::uuid[]) and tenant_id = any (${[...tenants]}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The tenant's messages of these ids, as far as they exist, in the order of the ids. */
export async function findMessagesOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[])`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
