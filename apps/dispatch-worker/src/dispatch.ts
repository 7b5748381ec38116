import { type Adapter, baseUrlOf, type Split, unknownPolicy } from '@notify/channels';
import {
  decide,
  decideUnreported,
  type AttemptContext,
  type Decision,
  type Outcome,
  type UnknownRules,
} from '@notify/core';
import { type Claimed, releaseMessages } from '@notify/db';
import type { DispatchDeps } from './deps.ts';
import { type Connection, openConnection } from './connection.ts';

/** How much longer than its call a lease lasts, in ms: time to begin the call, and to settle it. */
export const leaseSlackMs = 5_000;

/** What an attempt at a message came to. */
interface Attempt {
  readonly outcome: Outcome;
  readonly tookMs: number | null;
}

/**
 * Brings one claimed message to the end of its attempt: calls the provider, decides, settles. `claimedAt` is the time
 * of the claim by `performance.now()`; `release` gives the permit back as soon as the call has ended.
 */
export async function dispatch(
  claimed: Claimed,
  claimedAt: number,
  release: () => void,
  deps: DispatchDeps,
): Promise<void> {
  const connection = openConnection(claimed.account, deps);
  if (claimed.state === 'call' && performance.now() - claimedAt > leaseSlackMs / 2) {
    await releaseMessages(deps.db, [claimed]);
    return;
  }
  const split = splitOf(claimed, connection);
  const attempt = await attemptOf(claimed, connection, split, deps).finally(release);
  const decision = decisionOf(claimed, connection, split, attempt.outcome, deps);
  logAttempt(claimed, attempt, decision, deps);
  await deps.settle({
    accountId: claimed.account.id,
    messageId: claimed.messageId,
    holder: claimed.holder,
    attempts: claimed.attempts,
    part: claimed.part,
    parts: split.texts.length,
    segments: split.segments,
    outcome: attempt.outcome,
    decision,
    attempted: claimed.state !== 'unreported',
    tookMs: attempt.tookMs,
  });
}

function splitOf({ body }: Claimed, connection: Connection): Split {
  const whole: Split = { texts: ['text' in body ? body.text : ''], segments: null };
  if (connection.kind === 'broken' || !('text' in body)) return whole;
  return connection.adapter.split?.(body.text, connection.settings) ?? whole;
}

async function attemptOf(
  claimed: Claimed,
  connection: Connection,
  split: Split,
  deps: DispatchDeps,
): Promise<Attempt> {
  if (claimed.state === 'taken-over')
    return {
      outcome: { kind: 'unknown', text: 'The process that sent it ended before the answer was recorded.' },
      tookMs: null,
    };
  if (claimed.state === 'opted-out') return { outcome: optedOut, tookMs: null };
  if (claimed.state === 'unreported')
    return { outcome: { kind: 'unknown', text: 'The provider did not report back in time.' }, tookMs: null };
  if (connection.kind === 'broken')
    return { outcome: { kind: 'connection-broken', text: connection.text }, tookMs: null };
  if (claimed.part >= split.texts.length) return { outcome: splitChanged, tookMs: null };
  const beganAt = performance.now();
  const outcome = await call(claimed, connection, split, deps);
  return { outcome, tookMs: performance.now() - beganAt };
}

const optedOut: Outcome = {
  kind: 'rejected',
  errorCode: 'recipient-opted-out',
  text: 'The recipient asked not to be written to by this account.',
};

const splitChanged: Outcome = {
  kind: 'rejected',
  errorCode: 'settings-changed',
  text: "The account's splitting of long texts was changed when part of this message had been sent.",
};

type OpenConnection = Extract<Connection, { kind: 'open' }>;

async function call(
  claimed: Claimed,
  { adapter, settings, callbackUrl }: OpenConnection,
  split: Split,
  deps: DispatchDeps,
): Promise<Outcome> {
  const request = {
    messageId: claimed.messageId,
    to: claimed.to,
    type: claimed.type,
    body: claimed.body,
    part: claimed.part,
    parts: split.texts.length,
    text: claimed.type === 'text' ? split.texts[claimed.part]! : null,
    media: null,
    attempt: claimed.attempts,
    throttles: claimed.throttles,
    callbackUrl,
  };
  const signal = AbortSignal.timeout(adapter.capabilities.callDeadlineMs);
  try {
    return await adapter.send(request, {
      settings,
      http: deps.http,
      baseUrl: baseUrlOf(adapter, deps.providerUrls),
      signal,
    });
  } catch (error) {
    deps.log.error({ err: error, provider: adapter.id, messageId: claimed.messageId }, 'adapter failed');
    return { kind: 'unknown', text: 'Sending failed in an unforeseen way.' };
  }
}

function decisionOf(
  claimed: Claimed,
  connection: Connection,
  split: Split,
  outcome: Outcome,
  deps: DispatchDeps,
): Decision {
  const context: AttemptContext = {
    attempts: claimed.attempts,
    resends: claimed.resends,
    part: claimed.part,
    parts: split.texts.length,
    msToExpiry: claimed.msToExpiry,
  };
  const rules = rulesOf(connection, deps);
  if (claimed.state === 'unreported') return decideUnreported(context, rules);
  return decide(outcome, context, rules, deps.random);
}

function rulesOf(connection: Connection, deps: DispatchDeps): UnknownRules {
  const receiptWaitMs = deps.receiptWaitMs;
  if (connection.kind === 'broken')
    return { repeatIsSafe: false, reportsBack: false, policy: 'at-most-once', receiptWaitMs };
  const { adapter, settings, callbackUrl } = connection;
  return {
    repeatIsSafe: adapter.capabilities.repeatIsSafe,
    reportsBack: reportsBack(adapter, callbackUrl),
    policy: unknownPolicy(settings),
    receiptWaitMs,
  };
}

function reportsBack({ capabilities }: Adapter, callbackUrl: string | null): boolean {
  return capabilities.reportsDelivery && (!capabilities.callbacks || callbackUrl !== null);
}

function logAttempt(claimed: Claimed, attempt: Attempt, decision: Decision, deps: DispatchDeps): void {
  deps.log.info(
    {
      messageId: claimed.messageId,
      tenantId: claimed.account.tenantId,
      accountId: claimed.account.id,
      provider: claimed.account.provider,
      attempt: claimed.attempts,
      part: claimed.part,
      outcome: attempt.outcome.kind,
      decision: decision.kind,
      ...('providerCode' in attempt.outcome ? { providerCode: attempt.outcome.providerCode } : {}),
      ms: attempt.tookMs === null ? null : Math.round(attempt.tookMs),
    },
    'attempt',
  );
}
