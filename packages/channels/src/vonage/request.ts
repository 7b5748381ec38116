import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '@notify/egress';
import jwt from 'jsonwebtoken';
import type { SendRequest } from '../adapter/channel.ts';
import { type LifetimeLimits, lifetimeIn } from '../requests/lifetime.ts';
import { messageReference } from '../requests/message-reference.ts';
import type { VonageSettings } from './settings.ts';

type HttpParts = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The lifetime of a token in s. Each request gets a new one. */
const tokenSeconds = 300;

/**
 * The `ttl` of an SMS in the Messages API: in seconds, as Vonage's own clients document and check it. The older SMS API
 * takes the same range in ms.
 */
const ttl: LifetimeLimits = { unitMs: 1_000, least: 20, most: 604_800 };

/** A token of the application (RS256), good for one request. */
export function applicationToken({ applicationId, privateKey }: VonageSettings): string {
  const claims = { application_id: applicationId, jti: randomUUID() };
  return jwt.sign(claims, privateKey, { algorithm: 'RS256', expiresIn: tokenSeconds });
}

/**
 * `POST /v1/messages` with a text from a sender, and what remains of its life. Our id comes back in every receipt as `client_ref`.
 */
export function sendingRequest(
  baseUrl: string,
  token: string,
  from: string,
  request: SendRequest,
): HttpParts {
  return post(baseUrl, token, {
    message_type: 'text',
    channel: 'sms',
    to: digits(request.to),
    from: digits(from),
    text: textOf(request),
    client_ref: messageReference(request),
    ttl: lifetimeIn(request.lifetimeMs, ttl),
    ...(request.callbackUrl === null ? {} : { webhook_url: request.callbackUrl, webhook_version: 'v1' }),
  });
}

/** A message without content. Vonage answers 422 if the token is good and 401 if it is bad, and sends nothing. */
export function probingRequest(baseUrl: string, token: string): HttpParts {
  return post(baseUrl, token, {});
}

function post(baseUrl: string, token: string, message: Readonly<Record<string, string | number>>): HttpParts {
  return {
    method: 'POST',
    url: `${baseUrl}/v1/messages`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  };
}

/** Vonage writes E.164 without the plus. */
function digits(number: string): string {
  return number.replace(/^\+/, '');
}

function textOf({ text, body }: SendRequest): string {
  if (text !== null) return text;
  if ('text' in body) return body.text;
  throw new Error('sms takes texts only; a media message must not get here');
}
