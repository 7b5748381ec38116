import { type ChosenSender, type Outcome, scrub } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { SendRequest } from '../adapter/channel.ts';
import { jsonIn } from '../reading/json.ts';
import { textAt } from '../reading/pointer.ts';
import { objectOf } from '../reading/untrusted.ts';
import {
  answerText,
  type HttpAnswer,
  outcomeOfFailure,
  outcomeOfStatus,
  redact,
  throttled,
} from '../requests/http-outcome.ts';
import { unknownPolicy } from '../settings/unknown-outcome.ts';
import { apiErrors, type Meaning } from './errors.ts';
import { secretsOf } from './request.ts';
import type { TwilioSettings } from './settings.ts';

/** The outcome of a message, by Twilio's answer or the lack of one. */
export function readAnswer(
  result: HttpResult,
  settings: TwilioSettings,
  request: SendRequest,
  { prefix }: ChosenSender<string | undefined>,
): Outcome {
  const secrets = secretsOf(settings, request.callbackUrl);
  if (!result.ok) return outcomeOfFailure({ ...result, text: redact(result.text, secrets) });
  const body = readBody(result);
  if (result.status < 300) return taken(body, answerText(result, secrets));
  const text = errorText(result, secrets);
  const meaning = typeof body.code === 'number' ? apiErrors.get(body.code) : undefined;
  if (meaning?.kind === 'sender' && prefix !== null)
    return { kind: 'rejected', errorCode: 'sender-rejected', text, providerCode: String(body.code) };
  if (meaning !== undefined)
    return outcomeOfMeaning(meaning, result, String(body.code), text, request.throttles);
  return withCode(outcomeOfUnlisted(result, text, settings, request.throttles), body);
}

/** Twilio's own words with its code if it sent any, else the beginning of the answer. */
export function errorText(answer: HttpAnswer, secrets: readonly string[]): string {
  const { code, message } = readBody(answer);
  if (typeof code !== 'number' || typeof message !== 'string') return answerText(answer, secrets);
  return scrub(redact(`${code}: ${message}`, secrets), 500);
}

/** The answer as a JSON object; empty if it is not one. */
export function readBody({ body }: HttpAnswer): Readonly<Record<string, unknown>> {
  return objectOf(jsonIn(body));
}

function taken(body: Readonly<Record<string, unknown>>, text: string): Outcome {
  const sid = textAt(body, '/sid');
  if (sid !== null && sid !== '') return { kind: 'accepted', externalId: scrub(sid, 200) };
  return { kind: 'unknown', text: `No message SID in the response: ${text}` };
}

function outcomeOfMeaning(
  meaning: Meaning,
  answer: HttpAnswer,
  providerCode: string,
  text: string,
  throttles: number,
): Outcome {
  switch (meaning.kind) {
    case 'account':
    case 'sender':
      return { kind: 'connection-broken', text, providerCode };
    case 'throttled':
      if (meaning.afterMs === undefined) return throttled(answer, text, throttles);
      return { kind: 'throttled', scope: 'account', afterMs: meaning.afterMs, text };
    case 'rejected':
      return { kind: 'rejected', errorCode: meaning.errorCode, text, providerCode };
  }
}

/**
 * Twilio cannot tell a repeated request from a new one. An error without Twilio's own words (a proxy's 5xx) may stand
 * for a message that was sent, so `at-most-once` accounts do not retry it.
 */
function outcomeOfUnlisted(
  answer: HttpAnswer,
  text: string,
  settings: TwilioSettings,
  throttles: number,
): Outcome {
  const isMute = answer.status >= 500 && readBody(answer).code === undefined;
  if (isMute && unknownPolicy(settings) === 'at-most-once') return { kind: 'unknown', text };
  return outcomeOfStatus(answer, text, throttles);
}

function withCode(outcome: Outcome, { code }: Readonly<Record<string, unknown>>): Outcome {
  if (typeof code !== 'number' || !('providerCode' in outcome)) return outcome;
  return { ...outcome, providerCode: String(code) };
}
