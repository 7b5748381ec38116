import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The code of a message, sealed. */
export interface SealedCode {
  readonly verificationId: string;
  readonly tenantId: string;
  /** Null if no route may send it any more. */
  readonly sealed: string | null;
}

/** The place that a code is sealed for. The runtime's `Place` fits. */
export interface CodePlace {
  readonly tenantId: string;
  readonly table: 'verifications';
  readonly row: string;
  readonly column: 'sealed_code';
}

export function codePlace(tenantId: string, verificationId: string): CodePlace {
  return { tenantId, table: 'verifications', row: verificationId, column: 'sealed_code' };
}

/** The code that a message carries, by the group of its routes. Null for a message of no verification. */
export async function findSealedCode(db: Db, messageId: string): Promise<SealedCode | null> {
  const { rows } = await sql<SealedCode>`
    select id as "verificationId", tenant_id as "tenantId",
      case when status = 'pending' and expires_at > now() then sealed_code end as sealed
    from verifications
    where group_id = (select group_id from messages where id = ${messageId}::uuid and group_id is not null)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Whether a message carries the code of a verification, whatever became of it. */
export async function carriesCode(db: Db, messageId: string): Promise<boolean> {
  return (await findSealedCode(db, messageId)) !== null;
}
