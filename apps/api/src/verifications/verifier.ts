import { type Batcher, createBatcher, Overdue } from '@notify/batching';
import { defaultStartsPerHour, mostTries } from '@notify/core';
import {
  checkVerification,
  codePlace,
  countRefused,
  findComparable,
  findKey,
  type NewVerification,
  type Repeater,
  type RequestKey,
  type Started,
  type StartResult,
  startVerification,
  type StoredCode,
  type VerificationRef,
} from '@notify/db/verifications';
import type { Db } from '@notify/db/connection';
import type { AcceptRules } from '@notify/db/messages';
import type { Waker } from '@notify/queue';
import {
  createOneTimeCodes,
  currentRequest,
  type Log,
  type OneTimeCodes,
  type Secrets,
  type Settings,
} from '@notify/runtime';
import { countReached } from '@notify/dispatch';
import { metrics, type Origin } from '@notify/telemetry';
import { createFairPlaces, type FairPlaces } from '@notify/turns';
import { refuseLate } from '../admission/admission.ts';
import { createKeyedMutex } from '../admission/keyed-mutex.ts';
import { type Acceptor, admitsOne } from '../sending/accept.ts';
import { measureResults } from '../sending/accept-metrics.ts';
import { traceAccepted, type TracedCall, traceparentOf, tracedRules } from '../sending/accept-traces.ts';
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

/** The outcome of a start. */
export type VerifierResult =
  StartResult | { readonly kind: 'refused'; readonly code: 'limit-reached'; readonly route: null };

type Begun = Extract<StartResult, { kind: 'started' }>;

/**
 * Starts whose transactions are open at once, so that they leave connections to others. One is kept from each tenant for the others: the
 * starts of a tenant to one country wait for each other in the database. A start that waits longer is refused.
 */
const places = { places: 4, perGroup: 3, maxWaitMs: 1_000 };

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

/** Starts and checks verifications. A code is known to this process only between its making and the commit of its hash. */
export interface Verifier {
  readonly options: VerifierOptions;
  readonly acceptor: Acceptor;
  readonly codes: OneTimeCodes;
  readonly rules: AcceptRules & { readonly startsPerHour: number };
  /** Starts to one recipient wait for each other in the database. Here they hold no connection meanwhile. */
  readonly oneAtATime: ReturnType<typeof createKeyedMutex>;
  readonly turns: FairPlaces;
  readonly starts: Batcher<() => Promise<StartResult>, StartResult>;
}

/** Opens the verifier of one process. */
export function createVerifier(options: VerifierOptions, acceptor: Acceptor): Verifier {
  const { settings } = options;
  return {
    options,
    acceptor,
    codes: createOneTimeCodes(settings.masterKeys),
    rules: {
      idempotencyDays: settings.idempotencyDays,
      blockExpiredTrials: settings.trialEnforcement === 'block',
      requireConfirmedEmail: settings.emailVerification === 'required',
      startsPerHour: defaultStartsPerHour,
    },
    oneAtATime: createKeyedMutex(),
    turns: createFairPlaces(places),
    // Begins at once what has a place, and again after a conflict.
    starts: createBatcher<() => Promise<StartResult>, StartResult>({
      maxItems: 1,
      concurrency: places.places,
      run: async ([begin]) => [await begin!()],
    }),
  };
}

/**
 * Starts a verification, and wakes whoever has new work. Besides the refusals of the commit, a tenant with too many waiting messages
 * gets `limit-reached`. Tenants take turns. Throws `unavailable`, and does nothing, if it has no turn within a second. `origin`
 * is the request; null where traces are off.
 */
export async function beginVerification(
  verifier: Verifier,
  asked: NewVerification,
  digits: number,
  origin: Origin | null,
): Promise<VerifierResult> {
  const { acceptor, options } = verifier;
  const { tenantId, routes } = asked;
  if (!(await admitsOne(acceptor, tenantId))) return { kind: 'refused', code: 'limit-reached', route: null };
  const items = [{ channel: routes[0]!.channel, bulk: false }];
  const traceparent = traceparentOf(origin, tenantId, 1);
  const call = { items, origin, traceparent, at: performance.now() };
  const result = await store(verifier, asked, digits, call);
  metrics.verifications.starts.inc({ result: labelOf(result) });
  if (result.kind === 'started') noteStarted(result, call, options);
  if (result.kind === 'held') wakeAll(options.waker, options.log, 'webhooks', result.webhooks);
  if (result.kind === 'limited' || result.kind === 'held') await countRefused(options.db, asked);
  return result;
}

/** The verification that an idempotency key has started. Null if it has started none. */
export async function repeatedVerification(
  { options: { db, settings } }: Verifier,
  repeater: Repeater,
  key: RequestKey,
): Promise<Started | null> {
  const known = await findKey(db, repeater, key, settings.idempotencyDays);
  return known?.kind === 'same' ? known.verification : null;
}

/** Counts a try of a code, and says what has come of it. */
export async function checkCode(
  verifier: Verifier,
  ref: VerificationRef,
  code: string,
): Promise<CheckOutcome> {
  const outcome = await check(verifier, ref, code);
  const result =
    outcome.kind === 'checked' ? (outcome.status === 'approved' ? 'approved' : 'wrong') : outcome.kind;
  metrics.verifications.checks.inc({ result });
  return outcome;
}

function store(
  { options, codes, rules, oneAtATime, turns, starts }: Verifier,
  asked: NewVerification,
  digits: number,
  call: TracedCall,
): Promise<StartResult> {
  const { tenantId, recipient, sandbox } = asked;
  const terms = { ...rules, ...tracedRules(rules, [call]) };
  const begin = (): Promise<StartResult> =>
    startVerification(options.db, asked, terms, (id) =>
      newCode({ tenantId, id, digits, sandbox }, codes, options),
    );
  const inPlace = (): Promise<StartResult> => turns.run(tenantId, () => starts.add(begin));
  return oneAtATime(`${tenantId} ${recipient}`, inPlace).catch((error: unknown) => {
    throw error instanceof Overdue ? refuseLate() : error;
  });
}

/** Its first message counts and is traced as that of a single send. */
function noteStarted(
  { message, woken, reached }: Begun,
  call: TracedCall,
  { waker, log }: Pick<VerifierOptions, 'waker' | 'log'>,
): void {
  const accepted = { kind: 'accepted', message, repeated: false } as const;
  measureResults(call.items, [accepted]);
  traceAccepted([call], [[accepted]], call.at);
  countReached(reached);
  const request = currentRequest();
  if (request !== undefined) request.messageId = message.id;
  wakeAll(waker, log, 'dispatch', woken.accounts);
  wakeAll(waker, log, 'webhooks', woken.webhooks);
  wakeAll(waker, log, 'groups', woken.groups);
}

async function check(
  { options: { db, waker, log }, codes }: Verifier,
  ref: VerificationRef,
  code: string,
): Promise<CheckOutcome> {
  const known = await findComparable(db, ref);
  if (known === null) return { kind: 'unknown' };
  if (known.status !== 'pending' || known.salt === null) return { kind: 'ended', status: known.status };
  const hash = codes.hashAgain(code, ref.id, { salt: known.salt, keyVersion: known.keyVersion });
  if (hash === null) return { kind: 'no-key' };
  const checked = await checkVerification(db, ref.id, hash);
  if (checked === null)
    return { kind: 'ended', status: (await findComparable(db, ref))?.status ?? 'expired' };
  countReached(checked.ended.reached);
  wakeAll(waker, log, 'webhooks', checked.ended.webhooks);
  return { kind: 'checked', status: checked.status, attemptsLeft: mostTries - checked.tries };
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
