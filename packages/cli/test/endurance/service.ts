import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Notify } from '@notify/sdk';
import { ownDatabase, startProcess } from '@notify/testkit';

/** The service as production runs it, with one tenant. Its api can be frozen and restarted. */
export interface EnduringService {
  readonly url: string;
  readonly port: number;
  /** May read events. */
  readonly token: string;
  /** Sends straight to the service, not through the proxy. */
  readonly notify: Notify;
  freezeApi(): void;
  thawApi(): void;
  restartApi(how: 'stop' | 'kill'): Promise<void>;
  /** Every event of the tenant, in the form that the hook keeps. */
  events(): Promise<{ eventId: string; messageId: string; sequence: number }[]>;
  close(): Promise<void>;
}

export async function startEnduringService(): Promise<EnduringService> {
  const database = await ownDatabase({ queue: true });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-listen-'));
  const options = {
    databaseUrl: database.url,
    redisUrl: null,
    dataDir,
    env: { SANDBOX: 'on', SESSION_RATE_PER_MINUTE: '100000', LOG_LEVEL: 'warn' },
  };
  let api = await startProcess('api', options);
  const worker = await startProcess('dispatch-worker', options);
  await Promise.all([api.ready(), worker.ready()]);
  const { token, key, tenantId } = await newTenant(api.url);
  return {
    url: api.url,
    port: Number(new URL(api.url).port),
    token,
    notify: new Notify({ baseUrl: api.url, apiKey: key, token, maxRetries: 20 }),
    freezeApi: () => void api.process.kill('SIGSTOP'),
    thawApi: () => void api.process.kill('SIGCONT'),
    async restartApi(how) {
      if (how === 'kill') api.process.kill('SIGKILL');
      api = await api.restart();
      await api.ready();
    },
    async events() {
      const rows = await database.db
        .selectFrom('events')
        .select(['id', 'message_id', 'sequence'])
        .where('tenant_id', '=', tenantId)
        .execute();
      return rows.map(({ id, message_id, sequence }) => ({
        eventId: `evt_${id}`,
        messageId: `msg_${message_id}`,
        sequence: Number(sequence),
      }));
    },
    async close() {
      await Promise.all([api.stop(), worker.stop()]);
      await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function newTenant(url: string): Promise<{ token: string; key: string; tenantId: string }> {
  const account = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' };
  const { data } = await post<Registered>(`${url}/auth/register`, null, account);
  const wanted = { name: 'listen', scopes: ['events:read'] };
  const made = await post<{ token: string }>(`${url}/tenant/service-tokens`, data.accessToken, wanted);
  const limits = { name: 'load', rateLimitOverride: 10_000 };
  const { key } = await post<{ key: string }>(`${url}/tenant/api-keys`, data.accessToken, limits);
  return { token: made.token, key, tenantId: data.user.id.replace(/^ten_/, '') };
}

interface Registered {
  readonly data: { readonly accessToken: string; readonly user: { readonly id: string } };
}

async function post<T>(url: string, bearer: string | null, body: unknown): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return (await response.json()) as T;
}
