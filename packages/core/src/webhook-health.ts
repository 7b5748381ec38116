import { type Random, webhookWaitMs, webhookWaitsMs } from './backoff.ts';

/** What a webhook's attempts and its owner have made of it. Pure: the database keeps it and applies these rules. */
export interface WebhookHealth {
  readonly isActive: boolean;
  /** Why the service disabled it; null when it is active or its owner did. */
  readonly disabledReason: string | null;
  /** Grows whenever what went before shall count no more. */
  readonly generation: number;
  /** Failures in a row. */
  readonly failureCount: number;
  /** When the first failure after the last success began, in ms since 1970. */
  readonly failingSinceMs: number | null;
  /** Probes that failed, of a failing webhook. */
  readonly probes: number;
  /** Nothing is posted before, in ms since 1970. */
  readonly pausedUntilMs: number | null;
  /** Posts that may be in flight: 1, 2, 4 or 8. */
  readonly atOnce: number;
  readonly lane: 'fast' | 'slow';
}

/** One attempt that has ended. */
export interface WebhookAttempt {
  /** The webhook's when the attempt began. */
  readonly generation: number;
  /** `gone`: answered 410, which says that nobody will ever answer there again. */
  readonly result: 'success' | 'failure' | 'gone';
  /** Whether it was the one probe of a failing webhook. */
  readonly probe: boolean;
  readonly beganAtMs: number;
  readonly durationMs: number;
  /** The receiver's wish, 0 for none. */
  readonly retryAfterMs: number;
}

/** Failures in a row that make a webhook a failing one. */
export const failuresUntilFailing = 5;
/** Posts in flight to one webhook, at most. */
export const mostAtOnce = 8;
/** Answers that take this long, in ms, put a webhook into the slow lane. */
export const slowAnswerMs = 2_000;
/** Failing for so long, in ms, disables a webhook. */
export const longestFailingMs = 5 * 86_400_000;
/** What waits for a failing webhook is given up this long after its event, in ms. */
export const longestWaitingMs = 3 * 86_400_000;

/** Whether it is probed, one post at a time, instead of given its traffic. */
export function isFailing(health: Pick<WebhookHealth, 'failureCount'>): boolean {
  return health.failureCount >= failuresUntilFailing;
}

/** The webhook after an attempt. One of an earlier generation changes nothing; `nowMs` is when it is settled. */
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
  // Attempts that were in flight when it became failing are no probes: they lengthen no wait.
  if (!attempt.probe && failureCount !== failuresUntilFailing) return failed;
  const probes = attempt.probe ? health.probes + 1 : 0;
  return { ...failed, probes, pausedUntilMs: nowMs + probeWaitMs(probes, random, attempt.retryAfterMs) };
}

/** Probes follow the waits of a delivery from the first one on, and go on at the longest. */
function probeWaitMs(probes: number, random: Random, retryAfterMs: number): number {
  const step = Math.min(probes + 1, webhookWaitsMs.length);
  return webhookWaitMs(step, random, retryAfterMs) ?? 0;
}

/** Only a failure can tell: a webhook without traffic is never disabled. */
function reasonToDisable(failed: WebhookHealth, attempt: WebhookAttempt, nowMs: number): string | null {
  if (!failed.isActive) return null;
  if (attempt.result === 'gone') return 'The endpoint responded with 410 Gone.';
  const since = failed.failingSinceMs ?? nowMs;
  if (isFailing(failed) && nowMs - since >= longestFailingMs)
    return 'The endpoint has been failing for 5 days.';
  return null;
}

/** The webhook switched on: its failures are forgotten, and it starts with one post at a time. */
export function afterEnable(health: WebhookHealth): WebhookHealth {
  return { ...afterNewUrl(health), isActive: true, disabledReason: null };
}

/** The webhook switched off by its owner. */
export function afterDisable(health: WebhookHealth): WebhookHealth {
  return { ...health, isActive: false, disabledReason: null, generation: health.generation + 1 };
}

/** The webhook at another URL: what the former one did says nothing about it. */
export function afterNewUrl(health: WebhookHealth): WebhookHealth {
  return { ...health, ...unfailing, generation: health.generation + 1, atOnce: 1, lane: 'fast' };
}
