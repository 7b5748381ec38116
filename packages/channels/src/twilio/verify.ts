import { scrub } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { SendContext, VerifyResult } from '../adapter/channel.ts';
import { notVerified, notVerifiedBy, outcomeOfFailure, redact } from '../requests/http-outcome.ts';
import { errorText, readBody } from './answer.ts';
import { probingRequests, secretsOf } from './request.ts';
import type { TwilioSettings } from './settings.ts';

const unreported =
  'Without the auth token there are no delivery receipts: the status of messages stays `sent`.';

/** Tests each credential. The account must be active. */
export async function verifyTwilio(
  { settings, http, baseUrl, signal }: SendContext<TwilioSettings>,
  deadlineMs: number,
): Promise<VerifyResult> {
  const secrets = secretsOf(settings, null);
  const probes = probingRequests(baseUrl, settings);
  const results = await Promise.all(probes.map((probe) => http.request({ ...probe, signal, deadlineMs })));
  const faults = results.map((result) => faultOf(result, secrets)).filter((fault) => fault !== null);
  if (faults.length > 0) {
    const refused = faults.some((fault) => fault.refused);
    return { ok: false, refused, detail: faults.map((fault) => fault.detail).join(' ') };
  }
  if (settings.authToken === undefined) return { ok: true, detail: `The API key works. ${unreported}` };
  return { ok: true, detail: `Connected${nameOf(results[0], secrets)}.` };
}

type Fault = Extract<VerifyResult, { ok: false }>;

function faultOf(result: HttpResult, secrets: readonly string[]): Fault | null {
  if (!result.ok) return notVerified(outcomeOfFailure({ ...result, text: redact(result.text, secrets) }));
  if (result.status !== 200) return notVerifiedBy(result, errorText(result, secrets));
  const { status } = readBody(result);
  if (typeof status !== 'string' || status === 'active') return null;
  return { ok: false, refused: true, detail: scrub(redact(`The account is ${status}.`, secrets), 200) };
}

function nameOf(result: HttpResult | undefined, secrets: readonly string[]): string {
  if (result?.ok !== true) return '';
  const name = readBody(result)['friendly_name'];
  return typeof name === 'string' ? ` to ${scrub(redact(name, secrets), 100)}` : '';
}
