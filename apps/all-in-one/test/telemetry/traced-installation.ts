import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventNames } from '@notify/core';
import { prepareQueue } from '@notify/queue';
import {
  freePort,
  type OtlpReceiver,
  type OtlpSpan,
  type Receiver,
  type RegisteredTenant,
  registerTenant,
  type RunningProcess,
  type SmsGateway,
  startOtlpReceiver,
  startProcess,
  startReceiver,
  startSmsGateway,
  testDatabase,
  type TestDatabase,
  until,
} from '@notify/testkit';

/** Our processes with a tenant, its gateway and its webhook, and a collector of traces. */
export interface TracedInstallation extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly collector: OtlpReceiver;
  readonly gateway: SmsGateway;
  readonly receiver: Receiver;
  readonly tenant: RegisteredTenant;
  readonly processes: readonly RunningProcess[];
  /** Where the gateway posts what people write. */
  readonly callbackUrl: string;
  /** Sends with the API key, and with these headers. Returns the body of the 202. */
  send(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Resolves when the webhook has got these events of a message, and returns their headers by event. */
  posted(messageId: string, ...events: readonly string[]): Promise<Map<string, string | undefined>>;
  /** Resolves with the spans of a trace when it has spans of all these names. */
  trace(traceId: string, ...names: readonly string[]): Promise<OtlpSpan[]>;
}

/** Starts the processes with the queue in Postgres, by default with workers. `env` is added to the settings of all. */
export async function startTraced(
  env: (collectorUrl: string) => Record<string, string>,
  { works = true }: { readonly works?: boolean } = {},
): Promise<TracedInstallation> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-traced-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = starting.use(await testDatabase());
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  const collector = starting.use(await startOtlpReceiver());
  const gateway = starting.use(await startSmsGateway());
  const receiver = starting.use(await startReceiver());
  const port = await freePort();
  const common = {
    databaseUrl: database.url,
    redisUrl: null,
    dataDir,
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, BCRYPT_COST: '4', ...env(collector.url) },
  };
  const workers = works ? (['dispatch-worker', 'webhook-worker'] as const) : [];
  const processes = await Promise.all([
    startProcess('api', { ...common, port }),
    ...workers.map((name) => startProcess(name, common)),
  ]);
  for (const one of processes) starting.defer(() => one.stop());
  await Promise.all(processes.map((one) => one.ready()));
  const { url } = processes[0];
  const tenant = await registerTenant(url);
  const account = await tenant.post('/v1/channel-accounts', {
    provider: 'http-sms',
    name: 'gateway',
    settings: gateway.settings,
    isDefault: true,
  });
  gateway.setIncoming(account.callbackUrl);
  await tenant.post('/v1/webhooks', {
    url: receiver.url,
    events: [...eventNames, 'message.received'],
  });
  const started = starting.move();

  async function send(to: string, body: object, headers = {}): Promise<unknown> {
    const answer = await fetch(`${url}/v1/notify/${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': tenant.apiKey, ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  function headersOf(messageId: string): Map<string, string | undefined> {
    const posts = receiver.received.map(({ headers, body }) => ({
      traceparent: headers.traceparent as string | undefined,
      event: JSON.parse(body.toString()) as { event: string; messageId?: string },
    }));
    const own = posts.filter(({ event }) => event.messageId === messageId);
    return new Map(own.map(({ event, traceparent }) => [event.event, traceparent]));
  }

  return {
    database,
    collector,
    gateway,
    receiver,
    tenant,
    processes,
    callbackUrl: account.callbackUrl as string,
    send,
    async posted(messageId, ...events) {
      await until(async () => events.every((event) => headersOf(messageId).has(event)));
      return headersOf(messageId);
    },
    async trace(traceId, ...names) {
      const own = () => collector.spans.filter((span) => span.traceId === traceId);
      await until(async () => names.every((name) => own().some((span) => span.name === name)));
      return own();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
