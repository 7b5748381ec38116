import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { type Statements, transact } from '../connection/transact.ts';
import type { AcceptedMessage, RefusalCode } from '../messages/accept.ts';
import type { ReachedStatus } from '../messages/status-changes.ts';
import {
  type Circumstances,
  type Held,
  hourIsUsedUp,
  type Limited,
  readCircumstances,
  refusalOf,
} from './circumstances.ts';
import { countStart } from './counts.ts';
import { endPending } from './end.ts';
import { holdPrefix } from './hold-prefix.ts';
import type { NewVerification, Started, StartRules, StoredCode, Woken } from './new-verification.ts';
import { findKey, takeKey } from './request-key.ts';
import { endRoutes, sendRoutes, storeVerification } from './routes.ts';

export type StartResult =
  | {
      readonly kind: 'started';
      readonly verification: Started;
      /** That of the first route. */
      readonly message: AcceptedMessage;
      readonly woken: Woken;
      /** What became of messages of an earlier verification, which this one canceled. */
      readonly reached: readonly ReachedStatus[];
    }
  /** An earlier start answers: one with the same idempotency key, or one just now. Nothing is sent. */
  | { readonly kind: 'repeated'; readonly verification: Started }
  | Limited
  | Held
  /**
   * The idempotency key is that of another request, or the commit refuses a message. `route`: the one that cannot be sent, from 0;
   * null if it is not about one.
   */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly route: number | null };

/** Makes the stored form of a new code for the verification of this id. */
export type MakeCode = (verificationId: string) => StoredCode;

/** A result, and whether something was written that must stay. */
interface Outcome {
  readonly result: StartResult;
  readonly keep: boolean;
}

/**
 * Starts a verification, in one transaction. Starts to one recipient happen one after the other, in whatever process: a lock keeps
 * them apart, and a unique index stands behind it. Nothing is sent unless the code is stored, and the other way round. A start that
 * is refused leaves no trace, except that of a hold which begins.
 */
export async function startVerification(
  db: Db,
  start: NewVerification,
  rules: StartRules,
  makeCode: MakeCode,
): Promise<StartResult> {
  return transact(db, async (trx, commit) => {
    const { result, keep } = await startIn(trx, start, rules, makeCode);
    return keep ? commit(Promise.resolve(result)) : result;
  });
}

async function startIn(
  trx: Statements,
  start: NewVerification,
  rules: StartRules,
  makeCode: MakeCode,
): Promise<Outcome> {
  await lockRecipient(trx, start);
  const { requestKey } = start;
  const known = requestKey === null ? null : await findKey(trx, start, requestKey, rules.idempotencyDays);
  if (known?.kind === 'other') return reused;
  if (known?.kind === 'same') return { result: repeatOf(known.verification), keep: false };
  const now = await readCircumstances(trx, start, rules.startsPerHour);
  if (!now.keyWorks)
    return { result: { kind: 'refused', code: 'invalid-api-key', route: null }, keep: false };
  if (now.repeated !== null) return repeatNow(trx, start, now.repeated, rules);
  const refusal = refusalOf(now, start);
  if (refusal !== null) return { result: refusal, keep: false };
  if (now.looksPumped) {
    const held = await holdPrefix(trx, start, now);
    return { result: held, keep: held.isNew };
  }
  return sendCode(trx, start, now, rules, makeCode);
}

const reused: Outcome = {
  result: { kind: 'refused', code: 'idempotency-key-reused', route: null },
  keep: false,
};

function repeatOf(verification: Started): StartResult {
  return { kind: 'repeated', verification };
}

/** For the rest of the transaction. */
async function lockRecipient(trx: Statements, { tenantId, recipient }: NewVerification): Promise<void> {
  const name = `verification ${tenantId} ${recipient}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Answers with the verification that was started just now. A key of this request stands for it from now on. */
async function repeatNow(
  trx: Statements,
  start: NewVerification,
  verification: Started,
  { idempotencyDays }: StartRules,
): Promise<Outcome> {
  const { requestKey } = start;
  if (requestKey === null) return { result: repeatOf(verification), keep: false };
  const taken = await takeKey(trx, start, requestKey, verification.id, idempotencyDays);
  return taken ? { result: repeatOf(verification), keep: true } : reused;
}

async function sendCode(
  trx: Statements,
  start: NewVerification,
  now: Circumstances,
  rules: StartRules,
  makeCode: MakeCode,
): Promise<Outcome> {
  const { id, expiresAt, startsPerHour } = now;
  const { requestKey, sandbox } = start;
  const former = await endRoutes(trx, await endPending(trx, start));
  const sent = await sendRoutes(trx, start, rules);
  if (sent.kind === 'refused') return { result: sent, keep: false };
  await storeVerification(trx, start, { id, expiresAt, groupId: sent.groupId }, makeCode(id));
  if (requestKey !== null && !(await takeKey(trx, start, requestKey, id, rules.idempotencyDays)))
    return reused;
  if (!(await countStart(trx, start, startsPerHour))) return { result: hourIsUsedUp(now), keep: false };
  const woken = { ...sent.woken, webhooks: [...sent.woken.webhooks, ...former.webhooks] };
  const verification = { id, expiresAt, sandbox };
  return {
    result: { kind: 'started', verification, message: sent.message, woken, reached: former.reached },
    keep: true,
  };
}
