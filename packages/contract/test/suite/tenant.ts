import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { type Service, serviceUnderTest } from './service.ts';
import { until } from './until.ts';
import { phone } from './values.ts';

/** A tenant of a test's own, with a session and an API key whose rate never gets in the way. */
export interface Tenant {
  readonly service: Service;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  /** As the browser would send it: `svc_refresh=rt_…`. */
  readonly refreshCookie: string;
  readonly apiKey: string;
  readonly get: (path: string) => Promise<Response>;
  readonly post: (path: string, body?: unknown) => Promise<Response>;
  readonly put: (path: string, body?: unknown) => Promise<Response>;
  readonly patch: (path: string, body?: unknown) => Promise<Response>;
  readonly remove: (path: string) => Promise<Response>;
  /** POST `/v1/notify/<path>` with the API key. */
  readonly send: (path: string, body: unknown) => Promise<Response>;
  /** GET `/v1/notify/messages/<id>` with the API key. */
  readonly message: (id: string) => Promise<Response>;
}

export const password = 'correct horse battery';

/** An email address nobody has registered. */
export function freshEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** Registers a tenant and makes its key. */
export async function newTenant(service: Service = serviceUnderTest()): Promise<Tenant> {
  const registration = { name: 'Ada Lovelace', email: freshEmail(), password };
  // A busy api refuses what it cannot do in time.
  const registered = await until(
    () => service.call('post', '/auth/register', { body: registration }),
    ({ status }) => status !== 503,
  );
  if (registered.status !== 200) throw new Error(`cannot register: ${registered.text}`);
  const { accessToken, user } = registered.body.data;
  const tenant = actingAs(service, accessToken, await newKey(service, accessToken));
  return { ...registration, ...tenant, id: user.id, refreshCookie: cookieOf(registered) };
}

/** Makes an API key; its rate is the highest there is unless given. `narrowing`: further fields of the request. */
export async function newKey(
  service: Service,
  accessToken: string,
  rateLimitOverride = 10_000,
  narrowing: object = {},
): Promise<string> {
  const body = { name: 'suite', rateLimitOverride, ...narrowing };
  const made = await service.call('post', '/tenant/api-keys', { bearer: accessToken, body });
  if (made.status !== 201) throw new Error(`cannot make a key: ${made.text}`);
  return made.body.key;
}

function actingAs(service: Service, bearer: string, apiKey: string) {
  const notify = '/v1/notify';
  return {
    service,
    accessToken: bearer,
    apiKey,
    get: (path: string) => service.call('get', path, { bearer }),
    post: (path: string, body?: unknown) => service.call('post', path, { bearer, body }),
    put: (path: string, body?: unknown) => service.call('put', path, { bearer, body }),
    patch: (path: string, body?: unknown) => service.call('patch', path, { bearer, body }),
    remove: (path: string) => service.call('delete', path, { bearer }),
    send: (path: string, body: unknown) => service.call('post', `${notify}/${path}`, { apiKey, body }),
    message: (id: string) => service.call('get', `${notify}/messages/${id}`, { apiKey }),
  };
}

/** The refresh cookie an answer sets, as a browser sends it back. */
export function cookieOf(response: Response): string {
  const [pair = ''] = setCookie(response).split(';');
  return pair;
}

/** The `Set-Cookie` value of the refresh cookie; empty when the answer sets none. */
export function setCookie(response: Response): string {
  return setCookieNamed('svc_refresh', response);
}

/** The `Set-Cookie` value of this cookie; empty when the answer sets none. */
export function setCookieNamed(name: string, response: Response): string {
  const headers: unknown = response.headers['set-cookie'];
  const all = Array.isArray(headers) ? headers.map(String) : [];
  return all.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
}

/** Sends a text by sms to the recipient with this ending; resolves to the message's id. */
export async function sendText(tenant: Tenant, ending?: string): Promise<string> {
  const message = { to: phone(ending), text: 'hello' };
  // A busy api refuses what it cannot do in time.
  const { body } = await until(
    () => tenant.send('sms/text', message),
    ({ status }) => status !== 503,
  );
  return body.id;
}

/** The message, as soon as `done` holds for it. */
export async function messageWhen(
  tenant: Tenant,
  messageId: string,
  done: (message: Response['body']) => boolean,
  withinMs?: number,
): Promise<Response['body']> {
  return until(async () => (await tenant.message(messageId)).body, done, withinMs);
}

/** The tenant's sandbox account on a channel. */
export async function sandboxAccount(tenant: Tenant, channel: string): Promise<Response['body']> {
  const accounts: Response['body'][] = (await tenant.get('/v1/channel-accounts')).body;
  return accounts.find((account) => account.provider === 'sandbox' && account.channel === channel);
}
