import { mostTries, type VerificationStatus } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';
import { countChecks } from './counts.ts';
import { type CallingKey, keyWorks } from './key-works.ts';
import { within } from './met-by.ts';
import { type Ended, endRoutes } from './routes.ts';

/** Names a verification, and whom it must belong to. */
export interface VerificationRef extends CallingKey {
  readonly id: string;
  /** The only accounts of the key. Null: all. */
  readonly keyAccountIds: readonly string[] | null;
}

/** What a code is compared with. Never changes until the verification ends. */
export interface Comparable {
  /** Null after the end. */
  readonly salt: Buffer | null;
  readonly keyVersion: number;
  readonly status: VerificationStatus;
}

/** Null if the tenant has no such verification, or its key has ended. */
export async function findComparable(
  db: Db,
  { tenantId, keyId, id, keyAccountIds }: VerificationRef,
): Promise<Comparable | null> {
  const { rows } = await sql<Comparable>`
    select code_salt as salt, key_version as "keyVersion",
      case when status = 'pending' and expires_at <= now() then 'expired' else status end as status
    from verifications where id = ${id}::uuid and tenant_id = ${tenantId}::uuid and ${keyWorks({ tenantId, keyId })}
      and ${within(keyAccountIds)}`.execute(db);
  return rows[0] ?? null;
}

interface Checked {
  readonly status: 'pending' | 'approved' | 'failed';
  readonly tries: number;
  readonly groupId: string;
}

/** What a check has changed. */
export interface CheckResult {
  readonly status: Checked['status'];
  readonly tries: number;
  readonly ended: Ended;
}

/**
 * Checks a code by its hash. Null if the verification has ended. The try and its verdict are one statement (`countTry`). If it ends
 * the verification, what waits of its messages is canceled in the same transaction.
 */
export async function checkVerification(db: Db, id: string, hash: Buffer): Promise<CheckResult | null> {
  return db.transaction().execute(async (trx) => {
    const checked = await countTry(trx, id, hash);
    if (checked === null) return null;
    const { status, tries, groupId } = checked;
    return { status, tries, ended: await endRoutes(trx, status === 'pending' ? [] : [groupId]) };
  });
}

/**
 * Counts a try and decides, in one statement. Null if the verification has ended: nothing counts then. Checks of the same
 * verification wait for each other at its row, and each sees what the one before made of it. So exactly `mostTries` wrong ones
 * count, and one right one approves. With the end, the code is gone from the row. The comparison is of keyed hashes, so its time
 * tells nothing of the code.
 */
async function countTry(trx: Statements, id: string, hash: Buffer): Promise<Checked | null> {
  const status = sql`case when code_hash = ${hash}::bytea then 'approved'
          when tries + 1 >= ${mostTries} then 'failed' else 'pending' end`;
  const ends = sql`(code_hash = ${hash}::bytea or tries + 1 >= ${mostTries})`;
  const { rows } = await sql<Checked>`
    with checked as (
      update verifications set
        tries = tries + 1,
        status = ${status},
        first_checked_at = coalesce(first_checked_at, now()),
        ended_at = case when ${ends} then now() end,
        sealed_code = case when not ${ends} then sealed_code end,
        code_hash = case when not ${ends} then code_hash end,
        code_salt = case when not ${ends} then code_salt end
      where id = ${id}::uuid and status = 'pending' and expires_at > now()
      returning tenant_id, prefix, created_at, new.tries = 1 as is_first, status, tries, group_id
    ),
    counted as (${countChecks(sql`checked`)})
    select status, tries, group_id as "groupId" from checked`.execute(trx);
  return rows[0] ?? null;
}
