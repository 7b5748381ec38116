import { chooseSender, type Outcome, smsSegments, splitSms } from '@notify/core';
import type { Provider, SendContext, SendRequest, VerifyResult } from '../adapter/channel.ts';
import {
  answerText,
  notVerified,
  notVerifiedBy,
  outcomeOfFailure,
  redact,
} from '../requests/http-outcome.ts';
import { withSender } from '../settings/senders.ts';
import { refuseTemplate } from '../templates/no-templates.ts';
import { hasStatus, readAnswer } from './answer.ts';
import { readCallback } from './callbacks/receipts.ts';
import type { Gateway } from './gateways/gateway.ts';
import { gatewayOf } from './gateways/profiles.ts';
import { telnyxAnswerMs } from './gateways/telnyx.ts';
import { guide } from './guide.ts';
import { hasExpensivePatterns } from './patterns/check-patterns.ts';
import { build, probingDraft, sendingDraft, sizeOf } from './request/request.ts';
import { maxRequestBytes } from './request/request-size.ts';
import { secretPlaces } from './request/secret-places.ts';
import { addresses, check } from './settings/check.ts';
import { described } from './settings/check-size.ts';
import { type HttpSmsSettings, settings } from './settings/settings.ts';

const callDeadlineMs = 10_000;

/** Any SMS gateway that takes messages by HTTP. The settings describe its requests and its answers. */
export const httpSms: Provider<HttpSmsSettings> = {
  id: 'http-sms',
  channel: 'sms',
  name: 'Custom HTTP SMS gateway',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: true,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: true,
    inbound: true,
    maxInFlight: 20,
    callDeadlineMs,
  },
  guide,
  settings,
  check,
  addresses,
  secretPlaces,
  split(text, settings, cut) {
    const { maxSegments } = gatewayOf(settings);
    const texts = Number.isFinite(maxSegments) ? splitSms(text, maxSegments, cut) : [text];
    return { texts, segments: texts.reduce((sum, each) => sum + smsSegments(each).segments, 0) };
  },
  async send(request, { settings, http, signal }) {
    if (request.type === 'template') return refuseTemplate('An HTTP gateway');
    if (hasExpensivePatterns(settings)) return { kind: 'connection-broken', text: expensivePatterns };
    const gateway = gatewayOf(settings);
    const draft = sendingDraft(gateway, request, textOf(request));
    const bytes = sizeOf(draft);
    if (bytes > maxRequestBytes) return tooLarge(bytes);
    const result = await http.request({ ...build(draft), signal, deadlineMs: callDeadlineMs });
    const outcome = readAnswer(result, gateway, request.throttles);
    return withSender(outcome, gateway, chooseSender(gateway, request.to));
  },
  verify(context) {
    return verify(gatewayOf(context.settings), context);
  },
  callbackAnswerMs: telnyxAnswerMs,
  parseCallback(request, settings) {
    return readCallback(request, gatewayOf(settings), Date.now());
  },
};

function textOf({ text, body }: SendRequest): string {
  if (text !== null) return text;
  if ('text' in body) return body.text;
  throw new Error('sms takes texts only; a media message must not get here');
}

const expensivePatterns =
  'The patterns in the settings (success.body, externalId.pattern, errors) are too complex in total. Use simpler ones.';

/** Settings that were stored before there was a limit may make such a request. */
function tooLarge(bytes: number): Outcome {
  return {
    kind: 'rejected',
    errorCode: 'request-too-large',
    text: `The templates in the account's settings make this request too large: ${described(bytes)}. Use fewer placeholders in them.`,
  };
}

async function verify(
  gateway: Gateway,
  { http, signal }: SendContext<HttpSmsSettings>,
): Promise<VerifyResult> {
  const { probe } = gateway;
  const secrets = Object.values(gateway.secrets);
  const draft = probingDraft(gateway, probe);
  const bytes = sizeOf(draft);
  if (bytes > maxRequestBytes) return notVerified(tooLarge(bytes));
  const result = await http.request({ ...build(draft), signal, deadlineMs: callDeadlineMs });
  if (result.ok && hasStatus(probe.good, result.status)) return { ok: true, detail: probe.shows };
  if (result.ok) return notVerifiedBy(result, answerText(result, secrets));
  return notVerified(outcomeOfFailure({ ...result, text: redact(result.text, secrets) }));
}
