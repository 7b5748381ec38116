import { type Outcome, retryAfterMs, scrub, throttlePauseMs } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { VerifyResult } from '../adapter/channel.ts';
import { bodyText } from '../reading/body-text.ts';

export type HttpAnswer = Extract<HttpResult, { ok: true }>;
export type HttpFailure = Extract<HttpResult, { ok: false }>;

/** The longest `Retry-After` that is obeyed, in ms. */
const maxRetryAfterMs = 3_600_000;
const minThrottleMs = 1_000;

/** The outcome of a missing answer: a retry if nothing was written yet, unknown after that. */
export function outcomeOfFailure(failure: HttpFailure): Outcome {
  if (failure.error === 'blocked') {
    return { kind: 'connection-broken', text: `The address is not allowed: ${failure.text}` };
  }
  const text = `No response (${failure.error}): ${failure.text}`;
  if (failure.written) return { kind: 'unknown', text };
  return { kind: 'retry', errorCode: 'provider-unreachable', text };
}

/**
 * The outcome of an unsuccessful answer without a more precise error from the provider. 429 throttles, 401 and 403
 * break the account, 5xx and 408 are retried, other 4xx are refused. A redirect, which is never followed, means that
 * the address in the settings is wrong. The owner of the account reads `text`; `throttles` counts earlier throttled
 * answers in a row.
 */
export function outcomeOfStatus(answer: HttpAnswer, text: string, throttles: number): Outcome {
  const { status } = answer;
  const providerCode = String(status);
  if (status === 429) return throttled(answer, text, throttles);
  if (status === 401 || status === 403 || isRedirect(status))
    return { kind: 'connection-broken', text, providerCode };
  if (status >= 500 || status === 408) return retry(answer, 'provider-error', text);
  return { kind: 'rejected', errorCode: 'provider-rejected', text, providerCode };
}

type NotVerified = Extract<VerifyResult, { ok: false }>;

/**
 * A verification that failed with this outcome. The settings are refused if a send would be refused for good, or would
 * break the account.
 */
export function notVerified(outcome: Outcome): NotVerified {
  const refused = outcome.kind === 'connection-broken' || outcome.kind === 'rejected';
  const { text = 'No response.' } = outcome;
  return { ok: false, refused, detail: text };
}

/** A verification that got this unexpected answer. A 2xx does not tell whether the settings work. */
export function notVerifiedBy(answer: HttpAnswer, text: string): NotVerified {
  if (answer.status < 300) return { ok: false, refused: false, detail: text };
  return notVerified(outcomeOfStatus(answer, text, 0));
}

/** Throttled: waits as long as `Retry-After` says, at least 1 s, else 1 s, 2 s, 4 s and so on up to a minute. */
export function throttled(answer: HttpAnswer, text: string, throttles: number): Outcome {
  const afterMs = Math.max(minThrottleMs, askedMs(answer) ?? throttlePauseMs(throttles));
  return { kind: 'throttled', scope: 'account', afterMs, text };
}

/** A retry, not before `Retry-After` if the answer has one. */
export function retry(answer: HttpAnswer, errorCode: string, text: string): Outcome {
  const afterMs = askedMs(answer);
  const wish = afterMs === null ? {} : { afterMs };
  return { kind: 'retry', errorCode, text, providerCode: String(answer.status), ...wish };
}

/** `Retry-After` in ms, at most an hour. Null without one that can be read. */
function askedMs({ headers }: HttpAnswer): number | null {
  const waitMs = retryAfterMs(headers['retry-after'], Date.now());
  return waitMs === null ? null : Math.min(waitMs, maxRetryAfterMs);
}

/** The status and the beginning of the body in one line, without the secrets of the request. */
export function answerText(answer: HttpAnswer, secrets: readonly string[]): string {
  const body = redact(scrub(bodyText(answer.body)), secrets)
    .replace(/\s+/g, ' ')
    .trim();
  return body === '' ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${body.slice(0, 200)}`;
}

/**
 * Removes secrets from a text, in each form that an answer might quote them in. All are found in the text as it came, so that
 * what replaces one secret is never replaced again: secrets such as `*` would otherwise triple the text with every form.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(quotedForms));
  const found = [...forms].flatMap((form) => placesOf(form, text));
  if (found.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const place of found.sort((a, b) => a.begin - b.begin || b.end - a.end)) {
    if (place.begin >= end) parts.push(text.slice(end, place.begin), '***');
    end = Math.max(end, place.end);
  }
  return parts.join('') + text.slice(end);
}

interface TextPlace {
  readonly begin: number;
  readonly end: number;
}

function placesOf(form: string, text: string): TextPlace[] {
  const places: TextPlace[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
    places.push({ begin: at, end: at + form.length });
  return places;
}

function quotedForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [secret, encoded, encoded.replaceAll('%20', '+'), encoded.toLowerCase(), quoted];
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
