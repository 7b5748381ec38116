import { smsSegments, splitSms } from '@notify/core';
import type { Adapter, SendContext, SendRequest, VerifyResult } from '../channel.ts';
import { answerText, notVerified, notVerifiedBy, outcomeOfFailure, redact } from '../http-outcome.ts';
import { refuseTemplate } from '../no-templates.ts';
import { hasStatus, readAnswer } from './answer.ts';
import { addresses, check } from './check.ts';
import type { Gateway } from './gateway.ts';
import { gatewayOf } from './profiles.ts';
import { readCallback } from './receipts.ts';
import { probingRequest, sendingRequest } from './request.ts';
import { secretPlaces } from './secret-places.ts';
import { type HttpSmsSettings, settings } from './settings.ts';

const callDeadlineMs = 10_000;

/** Any SMS gateway that takes messages by HTTP. The settings describe its requests and its answers. */
export const httpSms: Adapter<HttpSmsSettings> = {
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
  settings,
  check,
  addresses,
  secretPlaces,
  split(text, settings) {
    const { maxSegments } = gatewayOf(settings);
    const texts = Number.isFinite(maxSegments) ? splitSms(text, maxSegments) : [text];
    return { texts, segments: texts.reduce((sum, each) => sum + smsSegments(each).segments, 0) };
  },
  async send(request, { settings, http, signal }) {
    if (request.type === 'template') return refuseTemplate('An HTTP gateway');
    const gateway = gatewayOf(settings);
    const httpRequest = sendingRequest(gateway, request, textOf(request));
    const result = await http.request({ ...httpRequest, signal, deadlineMs: callDeadlineMs });
    return readAnswer(result, gateway, request.throttles);
  },
  verify(context) {
    return verify(gatewayOf(context.settings), context);
  },
  parseCallback(request, settings) {
    return readCallback(request, gatewayOf(settings));
  },
};

function textOf({ text, body }: SendRequest): string {
  if (text !== null) return text;
  if ('text' in body) return body.text;
  throw new Error('sms takes texts only; a media message must not get here');
}

async function verify(
  gateway: Gateway,
  { http, signal }: SendContext<HttpSmsSettings>,
): Promise<VerifyResult> {
  const { probe } = gateway;
  const secrets = Object.values(gateway.secrets);
  const result = await http.request({
    ...probingRequest(gateway, probe),
    signal,
    deadlineMs: callDeadlineMs,
  });
  if (result.ok && hasStatus(probe.good, result.status)) return { ok: true, detail: probe.shows };
  if (result.ok) return notVerifiedBy(result, answerText(result, secrets));
  return notVerified(outcomeOfFailure({ ...result, text: redact(result.text, secrets) }));
}
