import type { HttpRequest } from '@notify/egress';
import type { SendRequest } from '../adapter/channel.ts';
import { type LifetimeLimits, lifetimeIn } from '../requests/lifetime.ts';
import { messageReference } from '../requests/message-reference.ts';
import type { TwilioSettings } from './settings.ts';

type HttpParts = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The query parameter with our id, in the address for receipts. */
export const referenceParameter = 'notify_id';

/** Twilio's `ValidityPeriod` (twilio.com/docs/messaging/api/message-resource). Its maximum is also the default of a number. */
const validityPeriod: LifetimeLimits = { unitMs: 1_000, least: 1, most: 36_000 };

/**
 * `POST …/Messages.json` with the fields of the content. A sender may stand beside a Messaging Service that has it
 * (twilio.com/docs/api/errors/21603). Names an address for receipts only if the account has the auth
 * token, because the signature of receipts is checked with it.
 */
export function sendingRequest(
  baseUrl: string,
  settings: TwilioSettings,
  from: string | undefined,
  request: SendRequest,
  content: Readonly<Record<string, string>>,
): HttpParts {
  const { messagingServiceSid, authToken } = settings;
  const form = new URLSearchParams({ To: request.to, ...content });
  if (from !== undefined) form.set('From', from);
  if (messagingServiceSid !== undefined) form.set('MessagingServiceSid', messagingServiceSid);
  const validity = validityOf(settings, request);
  if (validity !== null) form.set('ValidityPeriod', String(validity));
  if (request.callbackUrl !== null && authToken !== undefined) {
    const reference = messageReference(request);
    form.set('StatusCallback', `${request.callbackUrl}?${referenceParameter}=${reference}`);
  }
  return {
    method: 'POST',
    url: `${accountUrl(baseUrl, settings)}/Messages.json`,
    headers: { ...authorization(settings), 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  };
}

/**
 * How long Twilio may keep the message, in seconds: what remains of its life, or `validitySeconds` if that is shorter. Null
 * if the message outlives every period that Twilio takes, and its Messaging Service may have a shorter one.
 */
function validityOf(
  { validitySeconds, messagingServiceSid }: TwilioSettings,
  { lifetimeMs }: SendRequest,
): number | null {
  const remaining = lifetimeIn(lifetimeMs, validityPeriod);
  if (validitySeconds !== undefined) return Math.min(validitySeconds, remaining);
  return messagingServiceSid !== undefined && remaining === validityPeriod.most ? null : remaining;
}

/**
 * The requests that test the settings. The auth token reads the account itself. An API key may not be allowed to read
 * the account, so it lists messages.
 */
export function probingRequests(baseUrl: string, settings: TwilioSettings): readonly HttpParts[] {
  const { accountSid, authToken } = settings;
  const url = accountUrl(baseUrl, settings);
  const account = { method: 'GET', url: `${url}.json`, headers: basic(accountSid, authToken ?? '') } as const;
  const messages = {
    method: 'GET',
    url: `${url}/Messages.json?PageSize=1`,
    headers: authorization(settings),
  } as const;
  return [
    ...(authToken === undefined ? [] : [account]),
    ...(settings.apiKeySid === undefined ? [] : [messages]),
  ];
}

/**
 * The secrets in the settings or made from them, which no text may show. The address for receipts counts, because it
 * holds a secret too.
 */
export function secretsOf(settings: TwilioSettings, callbackUrl: string | null): readonly string[] {
  const { accountSid, authToken, apiKeySid, apiKeySecret } = settings;
  const pairs = [
    [accountSid, authToken],
    [apiKeySid, apiKeySecret],
  ] as const;
  const encoded = pairs.flatMap(([user, password]) =>
    password === undefined ? [] : [password, base64(`${user}:${password}`)],
  );
  return callbackUrl === null ? encoded : [...encoded, callbackUrl];
}

function accountUrl(baseUrl: string, { accountSid }: TwilioSettings): string {
  return `${baseUrl}/2010-04-01/Accounts/${accountSid}`;
}

/** An API key takes precedence over the auth token, which then only checks receipts. */
export function authorization(settings: TwilioSettings): Record<string, string> {
  const { accountSid, authToken = '', apiKeySid, apiKeySecret = '' } = settings;
  return apiKeySid === undefined ? basic(accountSid, authToken) : basic(apiKeySid, apiKeySecret);
}

function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${base64(`${user}:${password}`)}` };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
