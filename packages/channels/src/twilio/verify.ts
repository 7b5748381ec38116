import { scrub } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { SendContext, VerifyResult } from '../channel.ts';
import { outcomeOfFailure, redact } from '../http-outcome.ts';
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
  if (faults.length > 0) return { ok: false, detail: faults.join(' ') };
  if (settings.authToken === undefined) return { ok: true, detail: `The API key works. ${unreported}` };
  return { ok: true, detail: `Connected${nameOf(results[0], secrets)}.` };
}

function faultOf(result: HttpResult, secrets: readonly string[]): string | null {
  if (!result.ok) {
    const outcome = outcomeOfFailure({ ...result, text: redact(result.text, secrets) });
    return 'text' in outcome ? outcome.text : 'No response.';
  }
  if (result.status !== 200) return errorText(result, secrets);
  const { status } = readBody(result);
  if (typeof status !== 'string' || status === 'active') return null;
  return scrub(redact(`The account is ${status}.`, secrets), 200);
}

function nameOf(result: HttpResult | undefined, secrets: readonly string[]): string {
  if (result?.ok !== true) return '';
  const name = readBody(result)['friendly_name'];
  return typeof name === 'string' ? ` to ${scrub(redact(name, secrets), 100)}` : '';
}
