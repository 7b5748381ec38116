import type { MessageBody } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db } from './connect.ts';
import type { Database } from './tables.ts';

/** A message as it stands. */
export interface MessageRow extends Selectable<Omit<Database['messages'], 'body'>> {
  readonly body: MessageBody;
}

/**
 * A message of the key's tenant, in one look at the key and the message, so that a key revoked before it finds
 * nothing: `key-revoked`. Null when the tenant has no message of that id.
 */
export async function findMessage(
  db: Db,
  caller: { readonly tenantId: string; readonly keyId: string },
  messageId: string,
): Promise<MessageRow | null | 'key-revoked'> {
  const { rows } = await sql<MessageRow | { id: null }>`
    select m.* from api_keys k
    left join messages m on m.id = ${messageId} and m.tenant_id = k.tenant_id
    where k.id = ${caller.keyId} and k.tenant_id = ${caller.tenantId} and k.revoked_at is null`.execute(db);
  const [row] = rows;
  if (row === undefined) return 'key-revoked';
  return row.id === null ? null : row;
}
