import type { Outcome } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import { bodyText } from '../reading/body-text.ts';
import { parseJson } from '../reading/json.ts';
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
import type { Gateway } from './gateways/gateway.ts';
import { firstGroup, isFound } from './patterns/pattern.ts';

type ErrorRule = Gateway['errors'][number];

/**
 * The outcome of the gateway's answer: by the first error rule that fits, else by the success rule, else by its status.
 * A truncated body can prove success or an error. It cannot prove that the gateway refused the message, so the outcome
 * is then unknown.
 */
export function readAnswer(result: HttpResult, gateway: Gateway, throttles: number): Outcome {
  const secrets = Object.values(gateway.secrets);
  if (!result.ok) return outcomeOfFailure({ ...result, text: redact(result.text, secrets) });
  const text = answerText(result, secrets);
  const rule = gateway.errors.find((each) => fits(each, result));
  if (rule !== undefined) return outcomeOfRule(rule, result, text, throttles);
  const { status = ['2xx'], body } = gateway.success;
  if (!hasStatus(status, result.status)) return outcomeOfStatus(result, text, throttles);
  if (body === undefined || isFound(body, bodyOf(result))) {
    return accepted(result, gateway.externalId, text);
  }
  if (result.truncated) return { kind: 'unknown', text: `Incomplete response: ${text}` };
  return outcomeOfStatus(result, text, throttles);
}

/** Whether one of the ranges (`200`, `2xx`, `200-204`) includes a status. */
export function hasStatus(ranges: readonly string[], status: number): boolean {
  return ranges.some((range) => {
    const [from = '', to = from] = range.split('-');
    return status >= Number(from.replace('xx', '00')) && status <= Number(to.replace('xx', '99'));
  });
}

function fits(rule: ErrorRule, answer: HttpAnswer): boolean {
  if (rule.status !== undefined && !hasStatus(rule.status, answer.status)) return false;
  return rule.body === undefined || isFound(rule.body, bodyOf(answer));
}

function outcomeOfRule(rule: ErrorRule, answer: HttpAnswer, text: string, throttles: number): Outcome {
  const providerCode = String(answer.status);
  switch (rule.means) {
    case 'permanent':
      return { kind: 'rejected', errorCode: rule.errorCode ?? 'provider-rejected', text, providerCode };
    case 'retry':
      return retry(answer, rule.errorCode ?? 'provider-error', text);
    case 'throttle':
      return throttled(answer, text, throttles);
    case 'broken':
      return { kind: 'connection-broken', text, providerCode };
  }
}

/** What gateways write in place of an id when they have none. */
const noId: ReadonlySet<string> = new Set(['false', 'true', 'null', 'undefined']);

/** Where the settings tell where the id is and none is there, receipts that name it find no message. So that is told. */
function accepted(answer: HttpAnswer, rule: Gateway['externalId'], text: string): Outcome {
  const externalId = (externalIdOf(answer, rule) ?? '').trim();
  if (externalId !== '' && !noId.has(externalId)) return { kind: 'accepted', externalId };
  if (rule?.pattern === undefined && rule?.pointer === undefined)
    return { kind: 'accepted', externalId: null };
  return {
    kind: 'accepted',
    externalId: null,
    text: `No message ID where \`externalId\` expects it: ${text}`,
  };
}

function externalIdOf(answer: HttpAnswer, rule: Gateway['externalId']): string | null {
  const body = bodyOf(answer);
  if (rule?.pattern !== undefined) return firstGroup(rule.pattern, body);
  return rule?.pointer === undefined ? null : textAt(parseJson(body), rule.pointer);
}

function bodyOf(answer: HttpAnswer): string {
  return bodyText(answer.body);
}
