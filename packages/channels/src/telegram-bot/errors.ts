import { type Outcome, scrub, type UnknownPolicy } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { ProviderErrorCode } from '../error-codes.ts';
import {
  answerText,
  type HttpAnswer,
  outcomeOfFailure,
  outcomeOfStatus,
  redact,
  retry,
} from '../requests/http-outcome.ts';
import { readTelegram, type Refusal } from './answer.ts';

/** The meaning of a Telegram error. The first rule applies whose code and words match the error. */
interface ErrorRule {
  readonly code: number;
  readonly says?: RegExp;
  readonly means: ProviderErrorCode | 'connection-broken';
}

/** The descriptions are those of the Bot API server. An error with an unknown description is judged by its code. */
export const errorRules: readonly ErrorRule[] = [
  { code: 401, means: 'connection-broken' },
  { code: 404, means: 'connection-broken' },
  { code: 400, says: /logged out/i, means: 'connection-broken' },
  // The recipient blocked the bot, was deactivated, has not started it, kicked it or is not a member.
  { code: 403, means: 'recipient-blocked' },
  {
    code: 400,
    says: /not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED/i,
    means: 'recipient-blocked',
  },
  {
    code: 400,
    says: /chat not found|message thread not found|TOPIC_(CLOSED|DELETED)|user not found|PEER_ID_INVALID|chat_id is empty|group chat was (upgraded|deactivated)/i,
    means: 'recipient-rejected',
  },
  { code: 400, says: /too big/i, means: 'media-too-large' },
  { code: 413, means: 'media-too-large' },
  {
    code: 400,
    says: /wrong (remote )?file identifier|failed to get HTTP URL|wrong type of the web page|WEBPAGE_/i,
    means: 'media-unavailable',
  },
  {
    code: 400,
    says: /too long|is empty|can't parse entities|PHOTO_|IMAGE_PROCESS_FAILED|file must be non-empty/i,
    means: 'content-rejected',
  },
];

const longestPauseMs = 3_600_000;
const mostJitterMs = 500;

/** The inputs to an outcome besides the answer. */
export interface Asked {
  readonly secrets: readonly string[];
  readonly throttles: number;
  readonly policy: UnknownPolicy;
}

/** The outcome of a send, by Telegram's answer or the lack of one. Contains no secret of the account. */
export function outcomeOf(result: HttpResult, asked: Asked): Outcome {
  const { secrets, throttles } = asked;
  if (!result.ok) return outcomeOfFailure({ ...result, text: redact(result.text, secrets) });
  const said = readTelegram(result);
  if (said === null) return outcomeOfOthers(result, asked);
  if (said.ok) return accepted(said.externalId, result, secrets);
  return outcomeOfRefusal(said, result, textOf(said, secrets), throttles);
}

/** Telegram numbers a message that it sends later, such as a long video, only then. An answer to it cannot be quoted. */
function accepted(externalId: string | null, answer: HttpAnswer, secrets: readonly string[]): Outcome {
  if (externalId !== null) return { kind: 'accepted', externalId };
  return {
    kind: 'accepted',
    externalId,
    text: `No message ID in the response: ${answerText(answer, secrets)}`,
  };
}

/** True if Telegram could not fetch a file itself, so that an upload may still work. */
export function couldNotFetch(result: HttpResult): boolean {
  const said = result.ok ? readTelegram(result) : null;
  if (said === null || said.ok) return false;
  const means = ruleFor(said)?.means;
  return means === 'media-unavailable' || means === 'media-too-large';
}

/**
 * An answer that is not Telegram's, such as a proxy's page. With a 5xx the message may have been sent, so
 * `at-most-once` accounts do not retry it. A truncated 403 may be about the recipient, so it must not break the
 * account.
 */
function outcomeOfOthers(answer: HttpAnswer, { secrets, throttles, policy }: Asked): Outcome {
  const { status, truncated } = answer;
  const text = `Not a Telegram response: ${answerText(answer, secrets)}`;
  if (status < 300 || (status >= 500 && policy === 'at-most-once')) return { kind: 'unknown', text };
  if (status === 403 && truncated) return retry(answer, 'provider-error', text);
  return outcomeOfStatus(answer, text, throttles);
}

function outcomeOfRefusal(refusal: Refusal, answer: HttpAnswer, text: string, throttles: number): Outcome {
  const { code, retryAfterMs } = refusal;
  if (retryAfterMs !== null)
    return { kind: 'throttled', scope: 'account', afterMs: pauseMs(retryAfterMs), text };
  const providerCode = String(code);
  const means = ruleFor(refusal)?.means;
  if (means === undefined) return outcomeOfStatus({ ...answer, status: code }, text, throttles);
  if (means === 'connection-broken')
    return { kind: means, text: `${text}. Is the bot token right?`, providerCode };
  return { kind: 'rejected', errorCode: means, text, providerCode };
}

/** The wait Telegram asks for, from a second to an hour, with a little jitter so that a bot's processes do not wake together. */
function pauseMs(retryAfterMs: number): number {
  return Math.min(longestPauseMs, Math.max(1_000, retryAfterMs) + Math.floor(Math.random() * mostJitterMs));
}

function ruleFor({ code, description }: Refusal): ErrorRule | undefined {
  return errorRules.find((rule) => rule.code === code && (rule.says?.test(description) ?? true));
}

function textOf({ code, description }: Refusal, secrets: readonly string[]): string {
  return `${code}: ${redact(scrub(description, 1_000), secrets).slice(0, 300)}`.toWellFormed();
}
