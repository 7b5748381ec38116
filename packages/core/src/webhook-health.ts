import { type Random, webhookWaitMs, webhookWaitsMs } from './messages/backoff.ts';

/**
 * The health of a webhook, from its attempts and its owner's actions. The rules here are pure; the database stores it.
 */
export interface WebhookHealth {
  readonly isActive: boolean;
  /** Why the service disabled it. Null when it is active, or its owner disabled it. */
  readonly disabledReason: string | null;
  /** Grows whenever earlier attempts stop counting. */
  readonly generation: number;
  /** Failures in a row. */
  readonly failureCount: number;
  /** When the first failure after the last success began, in ms since 1970. */
  readonly failingSinceMs: number | null;
  /** Failed probes of a failing webhook. */
  readonly probes: number;
  /** No posts before this time, in ms since 1970. */
  readonly pausedUntilMs: number | null;
  /** The most posts in flight: 1, 2, 4 or 8. */
  readonly atOnce: number;
  readonly lane: 'fast' | 'slow';
}

/** One ended attempt. */
export interface WebhookAttempt {
  /** The webhook's generation when the attempt began. */
  readonly generation: number;
  /** `gone`: the response was 410, which says that the endpoint is gone for good. */
  readonly result: 'success' | 'failure' | 'gone';
  /** Whether it was the one probe of a failing webhook. */
  readonly probe: boolean;
  readonly beganAtMs: number;
  readonly durationMs: number;
  /** The wait that the receiver asked for, in ms; 0 for none. */
  readonly retryAfterMs: number;
}

/** This many failures in a row make a webhook a failing one. */
export const failuresUntilFailing = 5;
/** The most posts in flight to one webhook. */
export const mostAtOnce = 8;
/** A response that takes this long, in ms, moves a webhook to the slow lane. */
export const slowAnswerMs = 2_000;
/** Failing for this long, in ms, disables a webhook. */
export const longestFailingMs = 5 * 86_400_000;
/** A delivery to a failing webhook is given up this long after its event, in ms. */
export const longestWaitingMs = 3 * 86_400_000;

/** Whether the webhook gets one probe at a time instead of its traffic. */
export function isFailing(health: Pick<WebhookHealth, 'failureCount'>): boolean {
  return health.failureCount >= failuresUntilFailing;
}

/** The webhook after an attempt, settled at `nowMs`. An attempt of an earlier generation changes nothing. */
export function afterAttempt(
  health: WebhookHealth,
  attempt: WebhookAttempt,
  nowMs: number,
  random: Random,
): WebhookHealth {
  if (attempt.generation !== health.generation) return health;
  if (attempt.result === 'success') return afterSuccess(health, attempt);
  const failed = afterFailure(health, attempt, nowMs, random);
  const reason = reasonToDisable(failed, attempt, nowMs);
  return reason === null ? failed : { ...afterDisable(failed), disabledReason: reason };
}

function afterSuccess(health: WebhookHealth, { durationMs }: WebhookAttempt): WebhookHealth {
  return {
    ...health,
    ...unfailing,
    atOnce: Math.min(mostAtOnce, health.atOnce * 2),
    lane: durationMs >= slowAnswerMs ? 'slow' : 'fast',
  };
}

const unfailing = { failureCount: 0, failingSinceMs: null, probes: 0, pausedUntilMs: null } as const;

function afterFailure(
  health: WebhookHealth,
  attempt: WebhookAttempt,
  nowMs: number,
  random: Random,
): WebhookHealth {
  const failureCount = health.failureCount + 1;
  const failed: WebhookHealth = {
    ...health,
    failureCount,
    failingSinceMs: health.failingSinceMs ?? attempt.beganAtMs,
    atOnce: 1,
    lane: 'slow',
  };
  // Attempts that were in flight when the webhook became failing are no probes, so they lengthen no wait.
  if (!attempt.probe && failureCount !== failuresUntilFailing) return failed;
  const probes = attempt.probe ? health.probes + 1 : 0;
  return { ...failed, probes, pausedUntilMs: nowMs + probeWaitMs(probes, random, attempt.retryAfterMs) };
}

/** Probes follow the waits of a delivery from the first one on, and continue at the longest. */
function probeWaitMs(probes: number, random: Random, retryAfterMs: number): number {
  const step = Math.min(probes + 1, webhookWaitsMs.length);
  return webhookWaitMs(step, random, retryAfterMs) ?? 0;
}

/** Only a failure can disable a webhook, so one without traffic stays active. */
function reasonToDisable(failed: WebhookHealth, attempt: WebhookAttempt, nowMs: number): string | null {
  if (!failed.isActive) return null;
  if (attempt.result === 'gone') return 'The endpoint responded with 410 Gone.';
  const since = failed.failingSinceMs ?? nowMs;
  if (isFailing(failed) && nowMs - since >= longestFailingMs)
    return 'The endpoint has been failing for 5 days.';
  return null;
}

/** The webhook after its owner enabled it: its failures are reset, and it starts with one post at a time. */
export function afterEnable(health: WebhookHealth): WebhookHealth {
  return { ...afterNewUrl(health), isActive: true, disabledReason: null };
}

/** The webhook after its owner disabled it. */
export function afterDisable(health: WebhookHealth): WebhookHealth {
  return { ...health, isActive: false, disabledReason: null, generation: health.generation + 1 };
}

/** The webhook after a change of URL: the results of the old endpoint no longer count. */
export function afterNewUrl(health: WebhookHealth): WebhookHealth {
  return { ...health, ...unfailing, generation: health.generation + 1, atOnce: 1, lane: 'fast' };
}
