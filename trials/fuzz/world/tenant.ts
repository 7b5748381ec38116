import type { Answer, Client, Headers } from '../client.ts';
import { claimsOf } from './tokens.ts';

/** A tenant as its client knows it. */
export interface Tenant {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** The refresh token, `rt_…`. */
  readonly refresh: string;
  /** Calls with its access token; throws when the answer is not a success. */
  call(method: string, path: string, body?: object): Promise<unknown>;
}

/** Registers a tenant of a new email address. */
export async function registerTenant(
  client: Client,
  name: string,
  email: string,
  password: string,
): Promise<Tenant> {
  const answer = await callJson(client, 'POST', '/auth/register', [], { name, email, password });
  const { accessToken } = (answer.json as { data: { accessToken: string } }).data;
  return tenantOf(client, { email, password, token: accessToken, refresh: refreshOf(answer) });
}

/** Another session of the tenant. */
export async function logIn(
  client: Client,
  { email, password }: Pick<Tenant, 'email' | 'password'>,
): Promise<Tenant> {
  const answer = await callJson(client, 'POST', '/auth/login', [], { email, password });
  const { accessToken } = (answer.json as { data: { accessToken: string } }).data;
  return tenantOf(client, { email, password, token: accessToken, refresh: refreshOf(answer) });
}

function tenantOf(client: Client, known: Omit<Tenant, 'call'>): Tenant {
  const bearer: Headers = [['authorization', `Bearer ${known.token}`]];
  return {
    ...known,
    call: async (method, path, body) => (await callJson(client, method, path, bearer, body)).json,
  };
}

/** The id of the session an access token speaks of. */
export function sessionOf({ token }: Tenant): string {
  return `ses_${String(claimsOf(token).sid)}`;
}

/** A call that must succeed: throws, with the answer, when it does not. */
export async function callJson(
  client: Client,
  method: string,
  path: string,
  headers: Headers,
  body?: object,
): Promise<Answer> {
  const json: Headers = body === undefined ? [] : [['content-type', 'application/json']];
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const answer = await client.send({ method, path, headers: [...headers, ...json], body: bytes });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

function refreshOf({ headers }: Answer): string {
  return /svc_refresh=([^;]*)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? '';
}
