import { type KnownAddress, type Outcome, scrub, type UnknownPolicy } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import { jsonIn } from '../reading/json.ts';
import { textAt } from '../reading/pointer.ts';
import { listIn } from '../reading/untrusted.ts';
import {
  answerText,
  type HttpAnswer,
  outcomeOfFailure,
  outcomeOfStatus,
  redact,
  retry,
  throttled,
} from '../requests/http-outcome.ts';
import { advised, type Meaning, meaningOf } from './errors.ts';

/** The inputs to an outcome besides the answer. */
export interface Asked {
  /** The recipient of a message. Absent in other requests. */
  readonly to?: string;
  readonly attempt: number;
  readonly throttles: number;
  readonly secrets: readonly string[];
  readonly policy: UnknownPolicy;
}

/** The outcome of a message. With a 2xx that does not name the message, Meta may still have accepted it. */
export function readSent(result: HttpResult, asked: Asked): Outcome {
  if (!result.ok) return outcomeOfFailure({ ...result, text: redact(result.text, asked.secrets) });
  if (!isSuccess(result)) return mayHaveSent(result, asked) ?? outcomeOfError(result, asked);
  const wamid = textAt(documentOf(result), '/messages/0/id');
  if (wamid !== null)
    return { kind: 'accepted', externalId: scrub(wamid, 512), ...addressIn(documentOf(result), asked) };
  return { kind: 'unknown', text: `No message ID in the response: ${answerText(result, asked.secrets)}` };
}

/**
 * The number by which WhatsApp knows the person, if it is another one than the request names
 * (developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages). A person without a number has none,
 * and an answer about somebody else tells nothing.
 */
function addressIn(document: unknown, { to }: Asked): { address?: KnownAddress } {
  if (to === undefined) return {};
  const [contact, ...others] = listIn(document, 'contacts');
  const [input, known] = [textAt(contact, '/input'), textAt(contact, '/wa_id')].map(numberIn);
  if (!input || !known || input !== numberIn(to) || input === known || others.length > 0) return {};
  return { address: { asked: to, known } };
}

function numberIn(text: string | null): string | null {
  const digits = /^\+?([1-9]\d{4,19})$/.exec(text ?? '')?.[1];
  return digits === undefined ? null : `+${digits}`;
}

/**
 * Meta's id of an uploaded file, or the outcome that prevented it. No message was sent yet, so no outcome here is
 * unknown.
 */
export function readUploaded(result: HttpResult, asked: Asked): string | Outcome {
  if (!result.ok) {
    return outcomeOfFailure({ ...result, written: false, text: redact(result.text, asked.secrets) });
  }
  if (!isSuccess(result)) return outcomeOfError(result, asked);
  const id = textAt(documentOf(result), '/id');
  return (
    id ??
    retry(
      result,
      'provider-error',
      `No ID in the response to the upload: ${answerText(result, asked.secrets)}`,
    )
  );
}

/** Meta's message and details in one line, else the answer itself, without any of the secrets. */
export function errorText(answer: HttpAnswer, secrets: readonly string[]): string {
  const document = documentOf(answer);
  const words = ['/error/message', '/error/error_data/details'].flatMap((at) => textAt(document, at) ?? []);
  if (words.length === 0) return answerText(answer, secrets);
  return redact(scrub(words.join(': ')), secrets)
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The JSON document of an answer, or null. */
export function documentOf({ body }: HttpAnswer): unknown {
  return jsonIn(body);
}

/**
 * A 5xx without Meta's own words, such as a proxy's page, may stand for a message that was sent. So `at-most-once`
 * accounts do not retry it.
 */
function mayHaveSent(answer: HttpAnswer, { policy, secrets }: Asked): Outcome | null {
  const isMute = answer.status >= 500 && textAt(documentOf(answer), '/error/code') === null;
  return isMute && policy === 'at-most-once' ? { kind: 'unknown', text: errorText(answer, secrets) } : null;
}

function outcomeOfError(answer: HttpAnswer, asked: Asked): Outcome {
  const document = documentOf(answer);
  const text = errorText(answer, asked.secrets);
  const code = textAt(document, '/error/code');
  const meaning = code === null ? null : meaningIn(code, textAt(document, '/error/error_subcode'));
  const outcome =
    meaning === null
      ? outcomeOfStatus(answer, text, asked.throttles)
      : outcomeOf(meaning, answer, text, asked);
  return code !== null && 'providerCode' in outcome
    ? { ...outcome, providerCode: redact(scrub(code, 100), asked.secrets) }
    : outcome;
}

/** Code 100 is a bad parameter. With subcode 33 it means that the token may not use the number in the path. */
function meaningIn(code: string, subcode: string | null): Meaning | null {
  return code === '100' && subcode === '33' ? { kind: 'connection-broken' } : meaningOf(code);
}

function outcomeOf(meaning: Meaning, answer: HttpAnswer, text: string, asked: Asked): Outcome {
  const providerCode = String(answer.status);
  switch (meaning.kind) {
    case 'rejected':
      return { kind: 'rejected', errorCode: meaning.errorCode, text: advised(text, meaning), providerCode };
    case 'connection-broken':
      return { kind: 'connection-broken', text, providerCode };
    case 'throttled':
      if (meaning.scope === 'account') return throttled(answer, text, asked.throttles);
      return { kind: 'throttled', scope: 'recipient', afterMs: pairWaitMs(asked.throttles), text };
    case 'retry':
      return retry(answer, 'provider-error', text);
    case 'media':
      if (asked.attempt > 1) return { kind: 'rejected', errorCode: 'media-rejected', text, providerCode };
      return { kind: 'retry', errorCode: 'media-rejected', text, providerCode, afterMs: mediaWaitMs };
  }
}

const mediaWaitMs = 10_000;

/** One number may write to one person about once in 6 s. The wait is 6 s, 24 s, 96 s and so on up to 10 minutes. */
function pairWaitMs(throttles: number): number {
  return Math.min(6_000 * 4 ** Math.min(throttles, 10), 600_000);
}
