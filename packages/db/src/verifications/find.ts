import type { Labels, VerificationStatus } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { VerificationRef } from './check.ts';
import { keyWorks } from './key-works.ts';
import { within } from './met-by.ts';

export interface VerificationRow {
  readonly id: string;
  /** As the request named it. */
  readonly to: string;
  readonly status: VerificationStatus;
  readonly tries: number;
  readonly sandbox: boolean;
  readonly groupId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly metadata: Labels['metadata'];
  readonly tags: Labels['tags'];
}

const expired = sql<boolean>`(status = 'pending' and expires_at <= now())`;

/** Its status, in SQL: one that has expired is so at once, whether a sweep has seen it or not. */
export const status = sql<VerificationStatus>`case when ${expired} then 'expired' else status end`;

/** What a `VerificationRow` is made of, in SQL. */
export const columns = sql`id, shown_recipient as "to", ${status} as status, tries, sandbox, group_id as "groupId",
      created_at as "createdAt", expires_at as "expiresAt",
      case when ${expired} then expires_at else ended_at end as "endedAt", metadata, tags`;

/**
 * A verification of the tenant. Null without one, or if the key has ended.
 */
export async function findVerification(
  db: Db,
  { tenantId, keyId, id, keyAccountIds }: VerificationRef,
): Promise<VerificationRow | null> {
  const { rows } = await sql<VerificationRow>`
    select ${columns} from verifications
    where id = ${id}::uuid and tenant_id = ${tenantId}::uuid and ${keyWorks({ tenantId, keyId })}
      and ${within(keyAccountIds)}`.execute(db);
  return rows[0] ?? null;
}
