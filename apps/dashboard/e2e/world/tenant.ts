import { randomBytes } from 'node:crypto';

/** A tenant as it knows itself, and what it can ask the api. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Asks the api with the tenant's access token; rejects where it refuses. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

interface LoggedIn {
  readonly data: { readonly accessToken: string; readonly user: { readonly id: string } };
}

/** Registers a tenant of a new email address. */
export async function register(serviceUrl: string, name: string): Promise<Tenant> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '..')}.${randomBytes(4).toString('hex')}@example.com`;
  const password = 'correct horse battery';
  const answer = await post(`${serviceUrl}/auth/register`, { name, email, password });
  const { accessToken, user } = ((await answer.json()) as LoggedIn).data;
  return {
    id: user.id,
    name,
    email,
    password,
    async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const told = await request(
        `${serviceUrl}${path}`,
        method,
        { authorization: `Bearer ${accessToken}` },
        body,
      );
      return (told.status === 204 ? undefined : await told.json()) as Answer;
    },
  };
}

function post(url: string, body: object): Promise<Response> {
  return request(url, 'POST', {}, body);
}

/** Asks once; rejects, with what it says, where the answer is no success. */
async function request(url: string, method: string, headers: object, body?: object): Promise<Response> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
