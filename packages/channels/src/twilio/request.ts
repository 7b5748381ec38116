import type { HttpRequest } from '@notify/egress';
import type { SendRequest } from '../channel.ts';
import { messageReference } from '../message-reference.ts';
import type { TwilioSettings } from './settings.ts';

type HttpParts = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The query parameter of the report address that holds our id. */
export const referenceParameter = 'notify_id';

/**
 * `POST …/Messages.json`. A report address is given only where the account has the auth token that its signature is
 * checked with.
 */
export function sendingRequest(baseUrl: string, settings: TwilioSettings, request: SendRequest): HttpParts {
  const { from, messagingServiceSid, validitySeconds, authToken } = settings;
  const form = new URLSearchParams({ To: request.to, Body: textOf(request) });
  if (from !== undefined) form.set('From', from);
  if (messagingServiceSid !== undefined) form.set('MessagingServiceSid', messagingServiceSid);
  if (validitySeconds !== undefined) form.set('ValidityPeriod', String(validitySeconds));
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
 * What proves the settings, each in turn: the auth token by the account itself; the API key, which may not see the
 * account, by the list of messages.
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

/** Whatever of the settings, or made from them, must not show in a text; the report address too, for its own secret. */
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

/** An API key goes before the auth token, which then only checks reports. */
function authorization(settings: TwilioSettings): Record<string, string> {
  const { accountSid, authToken = '', apiKeySid, apiKeySecret = '' } = settings;
  return apiKeySid === undefined ? basic(accountSid, authToken) : basic(apiKeySid, apiKeySecret);
}

function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${base64(`${user}:${password}`)}` };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function textOf({ text, body }: SendRequest): string {
  if (text !== null) return text;
  if ('text' in body) return body.text;
  throw new Error('sms takes texts only; a media message must not get here');
}
