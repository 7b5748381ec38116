import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import {
  patient,
  type Receiver,
  type RunningProcess,
  startProcess,
  startReceiver,
  startRedis,
  testDatabase,
} from '@notify/testkit';
import request from 'supertest';
import { type CallbackTap, startCallbackTap } from './callback-tap.ts';

/** Two apis and their workers behind one public address, with a tenant and a webhook that names `message.received`. */
export interface InboundInstallation extends AsyncDisposable {
  readonly db: Db;
  readonly apis: readonly [RunningProcess, RunningProcess];
  readonly tap: CallbackTap;
  readonly receiver: Receiver;
  readonly webhookSecret: string;
  /** Starts a further api with modules that harm it. */
  harmedApi(preload: readonly string[]): Promise<RunningProcess>;
  manage(method: 'get' | 'post', path: string, body?: object): request.Test;
  notify(method: 'get' | 'post', path: string, body?: object): request.Test;
  /** Connects an account. Its id and the path and query of its callbacks. */
  connect(provider: string, settings: object): Promise<{ readonly id: string; readonly callbackUrl: string }>;
}

/** Starts everything. `providerUrls` is the setting `PROVIDER_URLS`. */
export async function startInboundInstallation(providerUrls: string): Promise<InboundInstallation> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-inbound-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { db, url: databaseUrl } = starting.use(await testDatabase());
  const redis = await startRedis();
  starting.defer(() => redis.stop());
  const tap = starting.use(await startCallbackTap());
  const receiver = starting.use(await startReceiver());
  const env = {
    PUBLIC_URL: tap.url,
    PROVIDER_URLS: providerUrls,
    DATABASE_CONNECTIONS: '5',
    BCRYPT_COST: '4',
  };
  const start = async (name: Parameters<typeof startProcess>[0], preload: readonly string[] = []) => {
    const started = await startProcess(name, { databaseUrl, redisUrl: redis.url, dataDir, env, preload });
    starting.defer(() => started.stop());
    return started;
  };
  const apis = [await start('api'), await start('api')] as const;
  const workers = [await start('dispatch-worker'), await start('webhook-worker')];
  await Promise.all([...apis, ...workers].map((one) => one.ready()));
  tap.forwardTo(apis[0].url);
  let token = '';
  let key = '';
  const manage: InboundInstallation['manage'] = (method, to, body) => {
    const call = patient(request(apis[0].url)[method](to));
    if (token !== '') call.set('Authorization', `Bearer ${token}`);
    return body === undefined ? call : call.send(body);
  };
  const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
  token = (await manage('post', '/auth/register', ann)).body.data.accessToken as string;
  key = (await manage('post', '/tenant/api-keys', { name: 'test' })).body.key as string;
  const events = ['message.received', 'message.sent', 'message.delivered'];
  const webhook = await manage('post', '/v1/webhooks', { url: receiver.url, events });
  const ours = starting.move();
  return {
    db,
    apis,
    tap,
    receiver,
    webhookSecret: webhook.body.secret as string,
    async harmedApi(preload) {
      const started = await startProcess('api', { databaseUrl, redisUrl: redis.url, dataDir, env, preload });
      ours.defer(() => started.stop());
      await started.ready();
      return started;
    },
    manage,
    notify(method, to, body) {
      const call = patient(request(apis[0].url)[method](`/v1/notify${to}`)).set('X-Api-Key', key);
      return body === undefined ? call : call.send(body);
    },
    async connect(provider, settings) {
      const { status, body } = await manage('post', '/v1/channel-accounts', {
        provider,
        name: provider,
        settings,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body as { id: string; callbackUrl: string };
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
}
