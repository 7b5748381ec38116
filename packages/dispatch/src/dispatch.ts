import { mayReport, type Media, sendsButtons, type Split, unknownPolicy } from '@notify/channels';
import {
  type Channel,
  decide,
  decideWithoutReceipt,
  hasMask,
  type AttemptContext,
  type Decision,
  type Outcome,
  type UnknownRules,
} from '@notify/core';
import { isDatabaseAway } from '@notify/db/connection';
import type { Claimed } from '@notify/db/dispatch';
import { expectNumber, forgetNumber } from '@notify/db/inbound';
import type { Trace } from '@notify/telemetry';
import type { Slot } from '@notify/turns';
import { callProvider, remainingMs } from './call.ts';
import { type Connection, openConnection, type OpenConnection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';
import { giveBack } from './give-back.ts';
import { asText, isToBeNumbered, isUnsent, noButtons, numberedOf } from './interactive.ts';
import { leaseSlackMs } from './leases.ts';
import { type Attempt, type GivenBack, type MediaBody, mediaBodyOf, sendMedia } from './media.ts';
import { traceCall, traceOf } from './message-traces.ts';
import { plain, reveal, type Revealed } from './one-time-code.ts';

/** Brings one claimed message to the end of its attempt: calls the provider, decides, settles. */
export async function dispatch(masked: Claimed, slot: Slot, deps: DispatchDeps): Promise<void> {
  const { claimedAt } = slot;
  const revealed = hasMask(masked.body) ? await revealIn(masked, slot, deps) : plain(masked);
  const { code, ended } = revealed;
  // The sweeper fails a message that expired after its claim.
  const isOver = remainingMs(masked, claimedAt) <= 0;
  if (masked.state === 'call' && (isLate(slot) || isOver)) return giveBack([masked], deps);
  const connection = openConnection(masked.account, deps);
  const claimed = asText(revealed.claimed, connection);
  const split = splitOf(claimed, connection);
  const isNumbered = isToBeNumbered(masked, claimed);
  const call: Call = { claimed, isNumbered, slot, connection, split, code, ended };
  const attempt = await attemptOf(call, deps).finally(slot.release);
  const waitedMs = claimed.waitedMs + performance.now() - claimedAt;
  if ('skipMs' in attempt) return giveBack([claimed], deps, attempt.skipMs);
  const decision = decisionOf(claimed, connection, split, attempt.outcome, deps);
  const trace = traceOf(claimed);
  traceCall(trace, claimed, attempt, decision);
  logAttempt(claimed, attempt, decision, trace, deps);
  // Any other decision can pause the account, block it or make the message due again, so it is settled first.
  if (decision.kind === 'sent') slot.free();
  const settlement = {
    accountId: claimed.account.id,
    settings: claimed.account.settings,
    messageId: claimed.messageId,
    holder: claimed.holder,
    attempts: claimed.attempts,
    part: claimed.part,
    parts: split.texts.length,
    cut: claimed.cut,
    segments: split.segments,
    outcome: attempt.outcome,
    decision,
    attempted: claimed.state !== 'without-receipt',
    tookMs: attempt.tookMs,
    channel: claimed.account.channel,
    provider: claimed.account.provider,
    bulk: claimed.bulk,
    waitedMs,
    ...(trace === null ? {} : { trace }),
  };
  await deps.settle(settlement, claimedAt + claimed.leaseMs);
}

async function revealIn(masked: Claimed, slot: Slot, deps: DispatchDeps): Promise<Revealed> {
  try {
    return await reveal(masked, deps);
  } catch (error) {
    slot.release();
    throw error;
  }
}

function splitOf({ body, cut }: Claimed, connection: Connection): Split {
  if ('template' in body || 'interactive' in body) return { texts: [''], segments: null };
  const text = 'type' in body ? (body.caption ?? '') : body.text;
  const whole: Split = { texts: [text], segments: null };
  // A cut could leave one part with the begin of a markup, and another with its end.
  if (connection.kind === 'broken' || body.telegram?.format !== undefined) return whole;
  if ('type' in body)
    return { texts: connection.adapter.splitCaption?.(text, cut) ?? whole.texts, segments: null };
  return connection.adapter.split?.(body.text, connection.settings, cut) ?? whole;
}

/** One attempt, before the decision whether to call the provider. */
interface Call {
  readonly claimed: Claimed;
  /** Whether a number that comes back answers it. */
  readonly isNumbered: boolean;
  readonly slot: Slot;
  readonly connection: Connection;
  readonly split: Split;
  /** The one-time code in its text. Null without one. */
  readonly code: string | null;
  /** The outcome of a message whose code must not be sent any more. */
  readonly ended: Outcome | null;
}

async function attemptOf(call: Call, deps: DispatchDeps): Promise<Attempt | GivenBack> {
  const { claimed, connection, split, ended } = call;
  if (claimed.state === 'taken-over')
    return {
      outcome: { kind: 'unknown', text: 'The process ended before it recorded the response.' },
      tookMs: null,
    };
  if (ended !== null) return { outcome: ended, tookMs: null };
  if (claimed.state === 'opted-out') return { outcome: optedOut, tookMs: null };
  if (claimed.state === 'without-receipt')
    return { outcome: { kind: 'unknown', text: 'No delivery receipt arrived in time.' }, tookMs: null };
  if (connection.kind === 'broken')
    return { outcome: { kind: 'connection-broken', text: connection.text }, tookMs: null };
  if (claimed.part >= split.texts.length) return { outcome: splitChanged, tookMs: null };
  if ('interactive' in claimed.body && !sendsButtons(connection.adapter, claimed.account.channel))
    return { outcome: noButtons, tookMs: null };
  const body = mediaBodyOf(claimed, split, connection.adapter);
  return body === null
    ? attemptText({ ...call, connection }, deps)
    : attemptMedia({ ...call, connection }, body, deps);
}

/** A call with a usable account. */
interface OpenCall extends Call {
  readonly connection: OpenConnection;
}

async function attemptText(
  { claimed, isNumbered, slot, connection, split, code }: OpenCall,
  deps: DispatchDeps,
): Promise<Attempt | GivenBack> {
  if (isNumbered && !(await isExpected(claimed, slot, deps))) return { skipMs: 0 };
  const beganAt = performance.now();
  using deadline = slot.deadlines.begin(connection.adapter.capabilities.callDeadlineMs);
  const { signal } = deadline;
  const outcome = await callProvider(
    { claimed, connection, split, code, media: null, claimedAt: slot.claimedAt, signal },
    deps,
  );
  // A row that stays does no harm: a failed message takes no number.
  if (isNumbered && isUnsent(outcome)) await forgetNumber(deps.db, numberedOf(claimed)).catch(ignoreAway);
  // We aborted the call, and certainly nothing was sent: another process may begin the attempt again.
  if (slot.deadlines.allOver && outcome.kind === 'retry') return { skipMs: 0 };
  return { outcome, tookMs: performance.now() - beganAt };
}

/** Notes that a number answers the message. False if that took so long, or failed, that the message must not be sent now. */
async function isExpected(claimed: Claimed, slot: Slot, deps: DispatchDeps): Promise<boolean> {
  try {
    await expectNumber(deps.db, numberedOf(claimed));
    return !isLate(slot);
  } catch (error) {
    ignoreAway(error);
    return false;
  }
}

function ignoreAway(error: unknown): void {
  if (!isDatabaseAway(error)) throw error;
}

/** Whether a call that begins now could outlast the lease. */
function isLate({ stopping, claimedAt }: Slot): boolean {
  return stopping.aborted || performance.now() - claimedAt > leaseSlackMs / 2;
}

/** Files have their own permits, so the permit for a call is released at once. */
async function attemptMedia(
  { claimed, slot, connection, split, code }: OpenCall,
  body: MediaBody,
  deps: DispatchDeps,
): Promise<Attempt | GivenBack> {
  slot.release();
  const call = (media: Media, signal: AbortSignal): Promise<Outcome> =>
    callProvider({ claimed, connection, split, code, media, claimedAt: slot.claimedAt, signal }, deps);
  return sendMedia({ body, slot, adapter: connection.adapter, call }, deps);
}

const optedOut: Outcome = {
  kind: 'rejected',
  errorCode: 'recipient-opted-out',
  text: 'The recipient opted out of messages from this account.',
};

const splitChanged: Outcome = {
  kind: 'rejected',
  errorCode: 'settings-changed',
  text: "The account's settings for splitting long texts changed after part of this message was sent.",
};

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
  const rules = rulesOf(connection, claimed.account.channel, deps);
  if (claimed.state === 'without-receipt') return decideWithoutReceipt(context, rules);
  return decide(outcome, context, rules, deps.random);
}

function rulesOf(connection: Connection, channel: Channel, deps: DispatchDeps): UnknownRules {
  const receiptWaitMs = deps.receiptWaitMs;
  if (connection.kind === 'broken')
    return { repeatIsSafe: false, reportsBack: false, policy: 'at-most-once', receiptWaitMs };
  const { adapter, settings, callbackUrl } = connection;
  return {
    repeatIsSafe: adapter.capabilities.repeatIsSafe,
    reportsBack: mayReport(adapter.capabilities, channel, callbackUrl !== null),
    policy: unknownPolicy(settings),
    receiptWaitMs,
  };
}

function logAttempt(
  claimed: Claimed,
  attempt: Attempt,
  decision: Decision,
  trace: Trace | null,
  deps: DispatchDeps,
): void {
  deps.log.tell('attempt', {
    messageId: claimed.messageId,
    tenantId: claimed.account.tenantId,
    accountId: claimed.account.id,
    provider: claimed.account.provider,
    attempt: claimed.attempts,
    part: claimed.part,
    outcome: attempt.outcome.kind,
    decision: decision.kind,
    ...('providerCode' in attempt.outcome ? { providerCode: attempt.outcome.providerCode } : {}),
    durationMs: attempt.tookMs === null ? null : Math.round(attempt.tookMs),
    ...(trace === null ? {} : { traceId: trace.id }),
  });
}
