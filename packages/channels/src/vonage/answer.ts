import { type Outcome, scrub } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import { jsonIn } from '../reading/json.ts';
import { textAt } from '../reading/pointer.ts';
import {
  answerText,
  type HttpAnswer,
  outcomeOfFailure,
  outcomeOfStatus,
  redact,
  retry,
  throttled,
} from '../requests/http-outcome.ts';
import { type Meaning, problems } from './errors.ts';
import { readProblem } from './problem.ts';

/** The outcome of a message, by Vonage's answer or the lack of one. No text contains any of `secrets`. */
export function readAnswer(result: HttpResult, secrets: readonly string[], throttles: number): Outcome {
  if (!result.ok) return outcomeOfFailure({ ...result, text: redact(result.text, secrets) });
  const body = jsonIn(result.body);
  if (result.status < 300) return taken(body, answerText(result, secrets));
  const { code } = readProblem(body);
  const text = errorText(result, secrets);
  const meaning = code === null ? undefined : problems.get(code);
  const outcome =
    meaning === undefined
      ? outcomeOfUnlisted(result, text, throttles)
      : outcomeOf(meaning, result, text, throttles);
  return code !== null && 'providerCode' in outcome ? { ...outcome, providerCode: code } : outcome;
}

/** Vonage's own words if it sent any, else the beginning of the answer. */
export function errorText(answer: HttpAnswer, secrets: readonly string[]): string {
  const { text } = readProblem(jsonIn(answer.body));
  return text === null ? answerText(answer, secrets) : scrub(redact(text, secrets), 500);
}

function taken(body: unknown, text: string): Outcome {
  const uuid = textAt(body, '/message_uuid');
  if (uuid !== null && uuid !== '') return { kind: 'accepted', externalId: scrub(uuid, 200) };
  return { kind: 'unknown', text: `No message UUID in the response: ${text}` };
}

function outcomeOf(meaning: Meaning, answer: HttpAnswer, text: string, throttles: number): Outcome {
  const providerCode = String(answer.status);
  switch (meaning.kind) {
    case 'account':
      return { kind: 'connection-broken', text, providerCode };
    case 'throttled':
      return throttled(answer, text, throttles);
    case 'retry':
      return retry(answer, 'provider-error', text);
    case 'rejected':
      return { kind: 'rejected', errorCode: meaning.errorCode, text, providerCode };
  }
}

/** An account without credit gets 402. */
function outcomeOfUnlisted(answer: HttpAnswer, text: string, throttles: number): Outcome {
  if (answer.status === 402) return { kind: 'connection-broken', text, providerCode: '402' };
  return outcomeOfStatus(answer, text, throttles);
}
