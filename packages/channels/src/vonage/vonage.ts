import { chooseSender } from '@notify/core';
import type { Provider, SendContext, VerifyResult } from '../adapter/channel.ts';
import { notVerified, notVerifiedBy, outcomeOfFailure, redact } from '../requests/http-outcome.ts';
import { splitText } from '../requests/split-text.ts';
import { withSender } from '../settings/senders.ts';
import { refuseTemplate } from '../templates/no-templates.ts';
import { errorText, readAnswer } from './answer.ts';
import { readCallback } from './callbacks.ts';
import { guide } from './guide.ts';
import { applicationToken, probingRequest, sendingRequest } from './request.ts';
import { checkVonage, settings, type VonageSettings } from './settings.ts';

const callDeadlineMs = 15_000;

/** The longest `text` that the Messages API accepts for an SMS; Vonage splits it into segments. */
const maxTextLength = 1_000;

/** SMS by Vonage's Messages API. */
export const vonage: Provider<VonageSettings> = {
  id: 'vonage',
  channel: 'sms',
  name: 'Vonage',
  baseUrl: 'https://api.nexmo.com',
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
  check: checkVonage,
  pace: ({ ratePerSecond = 30 }) => ({ perSecond: ratePerSecond }),
  split: (text, _, cut) => splitText(text, maxTextLength, cut),
  async send(request, { settings, http, baseUrl, signal }) {
    if (request.type === 'template') return refuseTemplate('SMS by Vonage');
    const token = applicationToken(settings);
    const sender = chooseSender(settings, request.to);
    const httpRequest = sendingRequest(baseUrl, token, sender.from, request);
    const result = await http.request({ ...httpRequest, signal, deadlineMs: callDeadlineMs });
    const outcome = readAnswer(result, secretsOf(settings, token, request.callbackUrl), request.throttles);
    return withSender(outcome, settings, sender);
  },
  verify,
  parseCallback: readCallback,
};

async function verify({
  settings,
  http,
  baseUrl,
  signal,
}: SendContext<VonageSettings>): Promise<VerifyResult> {
  const token = applicationToken(settings);
  const secrets = secretsOf(settings, token, null);
  const httpRequest = probingRequest(baseUrl, token);
  const result = await http.request({ ...httpRequest, signal, deadlineMs: callDeadlineMs });
  if (result.ok && result.status === 422) {
    return {
      ok: true,
      detail: 'The key works. The first delivery receipt will show whether the signature secret does.',
    };
  }
  if (result.ok) return notVerifiedBy(result, errorText(result, secrets));
  return notVerified(outcomeOfFailure({ ...result, text: redact(result.text, secrets) }));
}

/** The secrets that no text may show. The address for receipts counts, because it holds a secret too. */
function secretsOf(
  { privateKey, signatureSecret }: VonageSettings,
  token: string,
  callbackUrl: string | null,
): readonly string[] {
  return [token, privateKey, signatureSecret, ...(callbackUrl === null ? [] : [callbackUrl])];
}
