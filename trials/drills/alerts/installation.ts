import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { processNames } from '@notify/core';
import { type Db, openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import {
  freePort,
  type OwnPostgres,
  type OwnRedis,
  type ProcessName,
  registerTenant,
  startOwnPostgres,
  startOwnRedis,
} from '@notify/testkit';
import { type Peer, startPeer } from '../../kit/peers/peer.ts';
import { supervise, type Supervised } from '../../kit/system/supervised.ts';
import { type ChaosTenant, makeTenant, tenantPlans } from '../../kit/system/tenants.ts';

/** What a fault can break: the processes of a running service, its stores and its peers. */
export interface Installation {
  readonly db: Db;
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis;
  readonly gateway: Peer;
  readonly twilio: Peer;
  readonly receiver: Peer;
  /** WhatsApp, to which one phone is linked. */
  readonly whatsapp: Peer;
  readonly phone: string;
  readonly processes: readonly Supervised[];
  of(name: ProcessName): readonly Supervised[];
  readonly tenants: readonly ChaosTenant[];
  /** `host:port` of the metrics of every process. */
  readonly targets: readonly string[];
  readonly folder: string;
  /** Ends everything and removes its files. */
  stop(): Promise<void>;
}

type Stops = AsyncDisposableStack;

const phone = '15550009001';
const linkWithinMs = 60_000;

/** Starts Postgres, Redis, two processes of each kind, the peers, four tenants that send, and a linked phone. */
export async function startInstallation(): Promise<Installation> {
  await using stops = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-alerts-'));
  stops.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'logs'));
  const postgres = await startOwnPostgres();
  stops.defer(() => postgres.remove());
  const redis = await startOwnRedis();
  stops.defer(() => redis.remove());
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url };
  const db = openDb(postgres.url, { applicationName: 'alerts', maxConnections: 4 });
  stops.defer(() => db.destroy());
  await migrate(db);
  await prepareQueue(stores);
  const peer = async (program: string): Promise<Peer> => {
    const started = await startPeer(program);
    stops.defer(() => started.stop());
    return started;
  };
  const gateway = await peer('packages/testkit/src/peers/http-sms/main.ts');
  const twilio = await peer('packages/testkit/src/peers/twilio/main.ts');
  const receiver = await peer('trials/kit/peers/receiver-main.ts');
  const whatsapp = await peer('apps/whatsapp-sessions/peer/main.ts');
  const env = await environment(folder, twilio, whatsapp);
  const { processes, targets } = await startProcesses({ ...stores, dataDir: folder, env }, stops);
  const { url } = processes.find(({ name }) => name === 'api')!;
  const [first, second, third] = tenantPlans(gateway, twilio);
  const tenants: ChaosTenant[] = [];
  for (const plan of [first!, second!, { ...first!, name: 'more' }, third!])
    tenants.push(await makeTenant(url, plan, receiver, () => undefined));
  await linkPhone(url, whatsapp);
  const all = stops.move();
  return {
    db,
    postgres,
    redis,
    gateway,
    twilio,
    receiver,
    whatsapp,
    phone,
    processes,
    of: (name) => processes.filter((one) => one.name === name),
    tenants,
    targets,
    folder,
    stop: () => all.disposeAsync(),
  };
}

async function environment(folder: string, twilio: Peer, whatsapp: Peer): Promise<Record<string, string>> {
  const { rootPublicKey, mediaUrl, mediaCertificate } = whatsapp.shown as Record<string, string>;
  const certificate = path.join(folder, 'media.pem');
  await writeFile(certificate, mediaCertificate!);
  return {
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRETS: `1:${randomBytes(32).toString('base64')}`,
    BCRYPT_COST: '4',
    RECEIPT_WAIT_SECONDS: '3',
    // The windows of the alerts are shortened, and so is the period of the samples.
    SAMPLE_SECONDS: '2',
    PROVIDER_URLS: `twilio=${twilio.url}`,
    WHATSAPP_WEB_URL: whatsapp.url,
    WHATSAPP_WEB_ROOT_KEY: rootPublicKey!,
    WHATSAPP_MEDIA_URL: mediaUrl!,
    NODE_EXTRA_CA_CERTS: certificate,
  };
}

interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

async function startProcesses(
  { env, ...stores }: Stores,
  stops: Stops,
): Promise<{ processes: Supervised[]; targets: string[] }> {
  const apiPorts = [await freePort(), await freePort()];
  const targets: string[] = [];
  const start = async (name: ProcessName, index: number): Promise<Supervised> => {
    const health = await freePort();
    targets.push(`127.0.0.1:${health}`);
    const logFile = path.join(stores.dataDir, 'logs', `${name}-${index + 1}.log`);
    const one = await supervise(name, {
      ...stores,
      port: name === 'api' ? apiPorts[index]! : health,
      logFile,
      env: { ...env, PUBLIC_URL: `http://127.0.0.1:${apiPorts[index]}`, HEALTH_PORT: String(health) },
    }).catch(async (error: unknown) => {
      throw new Error((await readFile(logFile, 'utf8')).slice(-2_000), { cause: error });
    });
    stops.defer(() => one.stop());
    return one;
  };
  const processes: Supervised[] = [];
  // Two of each, so that a scrape that is late does not look like a fault. One pair after the other, because a busy machine needs long for all at once.
  for (const name of processNames) processes.push(...(await Promise.all([start(name, 0), start(name, 1)])));
  return { processes, targets };
}

/** Links a phone by QR code, as its owner does. */
async function linkPhone(url: string, whatsapp: Peer): Promise<void> {
  const tenant = await registerTenant(url);
  const { id } = (await tenant.post('/v1/channel-accounts', {
    provider: 'whatsapp-web',
    name: 'phone',
    settings: {},
  })) as { id: string };
  const link = `/v1/channel-accounts/${id}/link`;
  await tenant.post(link, {});
  let scanned = false;
  for (const deadline = performance.now() + linkWithinMs; performance.now() < deadline;) {
    const { step, qr } = (await tenant.get(link)) as { step: string; qr?: string };
    if (step === 'connected') return;
    if (qr !== undefined && !scanned) {
      scanned = true;
      await whatsapp.tell('scan', { qr, phone });
    }
    await wait(200);
  }
  throw new Error('the phone was not linked');
}
