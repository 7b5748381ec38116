import type { InboundMediaBody } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The file of an inbound message, as far as it is stored. */
export interface FileRow {
  readonly id: string;
  readonly channel_account_id: string;
  readonly body: InboundMediaBody;
  /** What the provider's adapter needs to read it. */
  readonly file: unknown;
}

/** The file of an inbound message. Null when the tenant has no message of that id, or it has no file. */
export async function findFile(db: Db, tenantId: string, messageId: string): Promise<FileRow | null> {
  const { rows } = await sql<FileRow>`
    select id, channel_account_id, body, file from messages
    where id = ${messageId}::uuid and tenant_id = ${tenantId}::uuid and file is not null`.execute(db);
  return rows[0] ?? null;
}
