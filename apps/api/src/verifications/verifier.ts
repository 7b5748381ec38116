import { defaultStartsPerHour, mostTries } from '@notify/core';
import {
  checkVerification,
  codePlace,
  countRefused,
  findComparable,
  findKey,
  type NewVerification,
  type RequestKey,
  type Started,
  type StartResult,
  startVerification,
  type StoredCode,
  type VerificationRef,
} from '@notify/db/verifications';
import type { Db } from '@notify/db/connection';
import type { Waker } from '@notify/queue';
import {
  createOneTimeCodes,
  type Log,
  type OneTimeCodes,
  type Secrets,
  type Settings,
} from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { createKeyedMutex } from '../messages/keyed-mutex.ts';
import { wakeAll } from '../wake.ts';

/** What a check of a code has come to. */
export type CheckOutcome =
  | {
      readonly kind: 'checked';
      readonly status: 'pending' | 'approved' | 'failed';
      readonly attemptsLeft: number;
    }
  /** `status`: how it ended. */
  | { readonly kind: 'ended'; readonly status: string }
  | { readonly kind: 'unknown' }
  /** The master key that its code was hashed under is not in `MASTER_KEYS`. The try does not count. */
  | { readonly kind: 'no-key' };

/** Starts and checks verifications. */
export interface Verifier {
  start(start: NewVerification, digits: number): Promise<StartResult>;
  /** The verification that an idempotency key has started. Null if it has started none. */
  repeated(
    start: Pick<NewVerification, 'tenantId' | 'keyAccountIds'>,
    key: RequestKey,
  ): Promise<Started | null>;
  check(ref: VerificationRef, code: string): Promise<CheckOutcome>;
}

export interface VerifierOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly settings: Pick<
    Settings,
    'masterKeys' | 'idempotencyDays' | 'trialEnforcement' | 'emailVerification'
  >;
}

/** A code is known to this process only between its making and the commit of its hash. */
export function createVerifier(opened: VerifierOptions): Verifier {
  const { db, settings, log, waker } = opened;
  const codes = createOneTimeCodes(settings.masterKeys);
  const { idempotencyDays } = settings;
  const rules = {
    idempotencyDays,
    blockExpiredTrials: settings.trialEnforcement === 'block',
    requireVerifiedEmail: settings.emailVerification === 'required',
    startsPerHour: defaultStartsPerHour,
  };
  // Starts to one recipient wait for each other in the database, too. Here they hold no connection meanwhile.
  const oneAtATime = createKeyedMutex();

  async function start(asked: NewVerification, digits: number): Promise<StartResult> {
    const { tenantId, recipient, sandbox } = asked;
    const result = await oneAtATime(`${tenantId} ${recipient}`, () =>
      startVerification(db, asked, rules, (id) => newCode({ tenantId, id, digits, sandbox }, codes, opened)),
    );
    metrics.verifications.starts.inc({ result: labelOf(result) });
    if (result.kind === 'started') {
      wakeAll(waker, log, 'dispatch', result.woken.accounts);
      wakeAll(waker, log, 'webhooks', result.woken.webhooks);
      wakeAll(waker, log, 'groups', result.woken.groups);
    }
    if (result.kind === 'held') wakeAll(waker, log, 'webhooks', result.webhooks);
    if (result.kind === 'limited' || result.kind === 'held') await countRefused(db, asked);
    return result;
  }

  async function check(ref: VerificationRef, code: string): Promise<CheckOutcome> {
    const known = await findComparable(db, ref);
    if (known === null) return { kind: 'unknown' };
    if (known.status !== 'pending' || known.salt === null) return { kind: 'ended', status: known.status };
    const hash = codes.hashAgain(code, ref.id, { salt: known.salt, keyVersion: known.keyVersion });
    if (hash === null) return { kind: 'no-key' };
    const checked = await checkVerification(db, ref.id, hash);
    if (checked === null)
      return { kind: 'ended', status: (await findComparable(db, ref))?.status ?? 'expired' };
    wakeAll(waker, log, 'webhooks', checked.ended.webhooks);
    return { kind: 'checked', status: checked.status, attemptsLeft: mostTries - checked.tries };
  }

  return {
    start,
    async repeated(asked, key) {
      const known = await findKey(db, asked, key, idempotencyDays);
      return known?.kind === 'same' ? known.verification : null;
    },
    async check(ref, code) {
      const outcome = await check(ref, code);
      const result =
        outcome.kind === 'checked' ? (outcome.status === 'approved' ? 'approved' : 'wrong') : outcome.kind;
      metrics.verifications.checks.inc({ result });
      return outcome;
    },
  };
}

function labelOf(result: StartResult): string {
  return result.kind === 'limited' ? `limited-${result.by}` : result.kind;
}

/** The code of a verification, in its stored forms. That of the sandbox is known to everybody: it proves nothing. */
function newCode(
  { tenantId, id, digits, sandbox }: { tenantId: string; id: string; digits: number; sandbox: boolean },
  codes: OneTimeCodes,
  { secrets }: Pick<VerifierOptions, 'secrets'>,
): StoredCode {
  const code = sandbox ? '0'.repeat(digits) : codes.make(digits);
  return { ...codes.hash(code, id), sealed: secrets.seal(code, codePlace(tenantId, id)) };
}
