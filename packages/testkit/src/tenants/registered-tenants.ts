import { randomUUID } from 'node:crypto';
import { patiently } from '../patiently.ts';

/** JSON of an answer, whose form the test knows. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** A tenant of a running service, registered over HTTP. Requests throw unless the answer is 2xx. */
export interface RegisteredTenant {
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly apiKey: string;
  get(path: string): Promise<Json>;
  post(path: string, body?: unknown): Promise<Json>;
  /** Sends with the API key. */
  send(path: string, body: unknown): Promise<Json>;
  /** A service token with these scopes. */
  token(...scopes: readonly string[]): Promise<string>;
  /** The ID of the sandbox account of a channel. */
  sandbox(channel: string): Promise<string>;
  revokeKeys(): Promise<void>;
}

interface Account {
  readonly id: string;
  readonly provider: string;
  readonly channel: string;
}

/** Registers a tenant at a running service and creates its key. `key` has the fields of the key that differ from the defaults. */
export async function registerTenant(url: string, key: object = {}): Promise<RegisteredTenant> {
  const credentials = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  const you = { name: 'Ada', ...credentials };
  const { data } = await request<{ data: { accessToken: string } }>(url, 'POST', '/auth/register', {}, you);
  const { accessToken } = data;
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const get = <T = Json>(path: string) => request<T>(url, 'GET', path, bearer);
  const post = <T = Json>(path: string, body?: unknown) => request<T>(url, 'POST', path, bearer, body);
  const { key: apiKey } = await post<{ key: string }>('/tenant/api-keys', { name: 'test', ...key });
  return {
    ...credentials,
    accessToken,
    apiKey,
    get,
    post,
    send: (path, body) => request(url, 'POST', `/v1/notify/${path}`, { 'X-Api-Key': apiKey }, body),
    async token(...scopes) {
      const { token } = await post<{ token: string }>('/tenant/service-tokens', { name: 'test', scopes });
      return token;
    },
    async sandbox(channel) {
      const accounts = await get<Account[]>('/v1/channel-accounts');
      const found = accounts.find((account) => account.provider === 'sandbox' && account.channel === channel);
      if (found === undefined) throw new Error(`the tenant has no sandbox account on ${channel}`);
      return found.id;
    },
    async revokeKeys() {
      const keys = await get<{ id: string }[]>('/tenant/api-keys');
      for (const { id } of keys) await request<undefined>(url, 'DELETE', `/tenant/api-keys/${id}`, bearer);
    },
  };
}

async function request<T>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const response = await patiently(() =>
    fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
