import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processNames } from '@notify/core';
import { openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import {
  freePort,
  type OwnRedis,
  type ProcessName,
  type Receiver,
  type RunningProcess,
  type SmsGateway,
  startOwnPostgres,
  startOwnRedis,
  startProcess,
  startReceiver,
  startSmsGateway,
  startTelegramPeer,
  startTwilioPeer,
  type TelegramPeer,
  type TwilioPeer,
} from '@notify/testkit';
import { startWhatsappPeer, type WhatsappPeer } from '../../apps/whatsapp-sessions/peer/client.ts';

/** One process of each kind, with Redis, providers and receivers. */
export interface System extends AsyncDisposable {
  readonly apiUrl: string;
  readonly redis: OwnRedis;
  readonly gateway: SmsGateway;
  readonly twilio: TwilioPeer;
  readonly telegram: TelegramPeer;
  readonly whatsapp: WhatsappPeer;
  /** One takes every event, one answers with 500. */
  readonly receivers: { readonly good: Receiver; readonly bad: Receiver };
  /** `host:port` of every `/metrics`. */
  readonly targets: readonly string[];
  readonly metricsToken: string;
}

/** How long a delivery receipt is awaited after an unknown outcome, in s: short, so that the repeated send is seen. */
const receiptWaitSeconds = 2;

/** Starts everything. Resolves when all processes are ready. */
export async function startSystem(): Promise<System> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-boards-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startOwnPostgres();
  starting.defer(() => postgres.remove());
  const redis = await startOwnRedis();
  starting.defer(() => redis.remove());
  await prepare(postgres.url, redis.url);
  const gateway = starting.use(await startSmsGateway());
  const twilio = starting.use(await startTwilioPeer());
  const telegram = starting.use(await startTelegramPeer());
  const whatsapp = starting.use(await startWhatsappPeer());
  const receivers = { good: starting.use(await startReceiver()), bad: starting.use(await startReceiver()) };
  receivers.bad.behave({ status: 500 });
  const certificate = path.join(dataDir, 'media.pem');
  await writeFile(certificate, whatsapp.mediaCertificate);

  const metricsToken = randomBytes(24).toString('hex');
  const port = await freePort();
  const env = {
    METRICS_TOKEN: metricsToken,
    SAMPLE_SECONDS: '1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PROVIDER_URLS: `twilio=${twilio.url},telegram-bot=${telegram.url}`,
    WHATSAPP_WEB_URL: whatsapp.url,
    WHATSAPP_WEB_ROOT_KEY: whatsapp.rootPublicKey,
    WHATSAPP_MEDIA_URL: whatsapp.mediaUrl,
    NODE_EXTRA_CA_CERTS: certificate,
    RECEIPT_WAIT_SECONDS: String(receiptWaitSeconds),
    BCRYPT_COST: '4',
  };
  const targets: string[] = [];
  const start = async (name: ProcessName): Promise<RunningProcess> => {
    const healthPort = await freePort();
    targets.push(`127.0.0.1:${healthPort}`);
    const one = await startProcess(name, {
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      dataDir,
      env: { ...env, HEALTH_PORT: String(healthPort) },
      port: name === 'api' ? port : healthPort,
    });
    starting.defer(() => one.stop());
    await one.ready();
    return one;
  };
  // One after the other: together they are slow on a busy machine.
  const api = await start('api');
  for (const name of processNames) if (name !== 'api') await start(name);
  const all = starting.move();
  return {
    apiUrl: api.url,
    redis,
    gateway,
    twilio,
    telegram,
    whatsapp,
    receivers,
    targets,
    metricsToken,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function prepare(databaseUrl: string, redisUrl: string): Promise<void> {
  const db = openDb(databaseUrl, { applicationName: 'check-boards', maxConnections: 4 });
  await migrate(db);
  await prepareQueue({ redisUrl, databaseUrl });
  await db.destroy();
}
