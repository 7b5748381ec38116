import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import {
  checkVerification,
  findComparable,
  type NewVerification,
  type StartResult,
  startVerification,
} from '@notify/db/verifications';
import type { Database } from '@notify/db/schema';
import type { TestTenant } from '@notify/testkit';
import { type Selectable, sql } from 'kysely';
import { rules } from '../dispatching.ts';

/** The right code of every verification here, and one that is always wrong. */
export const rightCode = '271828';
export const wrongCode = '314159';
const key = randomBytes(32);

export const startRules = { ...rules, startsPerHour: 1_000 };

/** A verification of a phone number by SMS, from the tenant's account. */
export function verification(tenant: TestTenant, changes: Partial<NewVerification> = {}): NewVerification {
  const to = changes.shownRecipient ?? '+15550001000';
  return {
    tenantId: tenant.tenantId,
    keyId: tenant.keyId,
    recipient: to,
    shownRecipient: to,
    prefix: '+1',
    sandbox: false,
    accountIds: [tenant.accountId],
    keyAccountIds: null,
    expiresInSeconds: 600,
    advanceAfterSeconds: 60,
    requestKey: null,
    routes: [
      {
        channel: 'sms',
        accountId: tenant.accountId,
        to,
        type: 'text',
        body: { text: '•••••• is your verification code.' },
      },
    ],
    ...changes,
  };
}

/** Starts a verification whose code is `rightCode`. */
export function start(
  db: Db,
  tenant: TestTenant,
  changes: Partial<NewVerification> = {},
  startsPerHour = 1_000,
): Promise<StartResult> {
  return startVerification(db, verification(tenant, changes), { ...startRules, startsPerHour }, (id) => {
    const salt = randomBytes(16);
    return { sealed: `sealed ${id}`, hash: hashOf(rightCode, salt), salt, keyVersion: 1 };
  });
}

/** Starts one that must succeed; its id. */
export async function started(
  db: Db,
  tenant: TestTenant,
  changes: Partial<NewVerification> = {},
): Promise<string> {
  const result = await start(db, tenant, changes);
  if (result.kind !== 'started') throw new Error(`the start was ${JSON.stringify(result)}`);
  return result.verification.id;
}

function hashOf(code: string, salt: Buffer): Buffer {
  return createHmac('sha256', key).update(salt).update(code).digest();
}

/** Checks a code as the api does: `ended`, or the status after it. */
export async function check(db: Db, tenant: TestTenant, id: string, code: string): Promise<string> {
  const ref = { tenantId: tenant.tenantId, keyId: tenant.keyId, id, keyAccountIds: null };
  const known = await findComparable(db, ref);
  if (known?.status !== 'pending' || known.salt === null) return 'ended';
  return (await checkVerification(db, id, hashOf(code, known.salt)))?.status ?? 'ended';
}

/** A function that checks a code whose hash was made before, so that only the statement decides. */
export async function preparedCheck(db: Db, tenant: TestTenant, id: string, code: string) {
  const known = await findComparable(db, {
    tenantId: tenant.tenantId,
    keyId: tenant.keyId,
    id,
    keyAccountIds: null,
  });
  const hash = hashOf(code, known!.salt!);
  return async (through: Db): Promise<string> =>
    (await checkVerification(through, id, hash))?.status ?? 'ended';
}

/** Lets time pass for every verification and every hold. */
export async function pass(db: Db, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds}::int)`;
  await sql`update verifications set created_at = created_at - ${by}, expires_at = expires_at - ${by}`.execute(
    db,
  );
  await sql`update verification_limits set held_until = held_until - ${by}, judged_from = judged_from - ${by}`.execute(
    db,
  );
}

/** The row of a verification. */
export function row(db: Db, id: string): Promise<Selectable<Database['verifications']>> {
  return db.selectFrom('verifications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
