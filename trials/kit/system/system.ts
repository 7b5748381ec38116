import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { prepareQueue, type QueueStore } from '@notify/queue';
import {
  freePort,
  openTestDb,
  type OwnPostgres,
  type OwnPostgresOptions,
  type OwnRedis,
  type ProcessName,
  startOwnRedis,
} from '@notify/testkit';
import { type AnswerLog, followAnswers } from './answers.ts';
import { type Peer, startPeer } from '../peers/peer.ts';
import { supervise, type Supervised } from './supervised.ts';
import { type ChaosTenant, makeTenant, telegramPlan, tenantPlans } from './tenants.ts';

/** The running system, for the faults, the load and the audit. By default it has one server of Postgres. */
export interface System<Postgres = OwnPostgres> {
  readonly postgres: Postgres;
  readonly redis: OwnRedis;
  /** Where the turns are. */
  readonly queue: QueueStore;
  /**
   * Stops Redis until the sweepers have found work whose wakes were lost. Simultaneous calls share one outage. No
   * other fault may touch Redis meanwhile.
   */
  loseWakes(): Promise<void>;
  /** For the audit; survives the outages. */
  readonly db: Db;
  readonly processes: readonly Supervised[];
  /** The two processes of this name. */
  of(name: ProcessName): readonly Supervised[];
  readonly gateway: Peer;
  readonly twilio: Peer;
  /** Telegram, which keeps what people write until a worker has read it. */
  readonly telegram: Peer;
  readonly receiver: Peer;
  /** Writes all spans into the folder of the logs. */
  readonly collector: Peer;
  readonly tenants: readonly ChaosTenant[];
  /** The Postgres password that every process was given. */
  readonly databasePassword: string;
  /** The settings that every process was given, with the keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Every secret that was created, for the search in the logs. */
  readonly secrets: readonly string[];
  /** Folder with one log per process, one of Postgres, and the spans. */
  readonly logFolder: string;
  readonly answers: AnswerLog;
  /** Lines of Postgres' log about server processes that ended by themselves. */
  readonly postgresCrashes: readonly string[];
  /** Ends all processes and servers; keeps the logs. */
  stop(): Promise<void>;
  removeLogs(): Promise<void>;
}

type Stop = () => Promise<void>;

/** Starts the Postgres of the system. */
type StartPostgres<Postgres> = (options: OwnPostgresOptions) => Promise<Postgres>;

/** All that the system itself does with its Postgres. */
type Store = Pick<OwnPostgres, 'url' | 'remove'>;

/**
 * How long Redis is away, in ms: longer than a message waits before the sweeper looks for it, and longer than the
 * period of the sweeper.
 */
const withoutRedisMs = 5_000;
/**
 * How long a delivery report is awaited after an unknown outcome, in s: short, because it makes up most of a
 * recovery.
 */
const receiptWaitSeconds = 3;

export interface SystemOptions {
  /** Where the turns are. Default: in Redis. */
  readonly queueIn?: 'redis' | 'postgres';
  /** Starts the Redis, which may be several servers. Default: one server. */
  readonly startRedis?: () => Promise<OwnRedis>;
  /** Settings of every process, over those of chaos. */
  readonly env?: Readonly<Record<string, string>>;
  /** The root of the sources of its processes. Default: this tree. */
  readonly tree?: string;
  /** Prepares the empty stores. Default: as this tree's `migrate`. */
  readonly prepare?: (stores: QueueStore) => Promise<void>;
}

/** Starts Postgres, Redis, two processes of each kind, the providers and a receiver, and creates the tenants. */
export async function startSystem<Postgres extends Store>(
  startPostgres: StartPostgres<Postgres>,
  options: SystemOptions = {},
): Promise<System<Postgres>> {
  const stops: Stop[] = [];
  const stop = async (): Promise<void> => {
    for (const undo of stops.splice(0).reverse()) await undo();
  };
  try {
    return await startAll(startPostgres, options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll<Postgres extends Store>(
  startPostgres: StartPostgres<Postgres>,
  {
    queueIn = 'redis',
    startRedis = startOwnRedis,
    env: settings = {},
    tree,
    prepare = prepareStores,
  }: SystemOptions,
  stops: Stop[],
  stop: Stop,
): Promise<System<Postgres>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-chaos-'));
  const logFolder = path.join(folder, 'logs');
  await mkdir(logFolder);
  const secrets = newSecrets();
  const postgresCrashes: string[] = [];
  const postgres = await startPostgres({
    durable: true,
    password: secrets.database,
    onLog(line) {
      appendFileSync(path.join(logFolder, 'postgres.log'), `${line}\n`);
      if (isCrash(line)) postgresCrashes.push(line);
    },
  });
  stops.push(() => postgres.remove());
  const redis = await startRedis();
  stops.push(() => redis.remove());
  const queue = { databaseUrl: postgres.url, redisUrl: queueIn === 'redis' ? redis.url : null };
  await prepare(queue);
  const db = openTestDb(postgres.url, { applicationName: 'chaos', maxConnections: 4 });
  stops.push(() => db.destroy());
  const [gateway, twilio, telegram, receiver, collector] = await startPeers(stops, logFolder);
  const from = tree === undefined ? {} : { tree };
  const stores = { ...queue, dataDir: folder, ...from };
  const providers = `twilio=${twilio.url},telegram-bot=${telegram.url}`;
  const env = { ...environment(secrets), PROVIDER_URLS: providers, ...settings };
  const processes = await startProcesses({ ...stores, env, logFolder, collector }, stops);
  const kept = Object.values(secrets);
  const plans = tenantPlans(gateway, twilio);
  const tenants: ChaosTenant[] = [];
  for (const plan of plans)
    tenants.push(await makeTenant(processes[0]!.url, plan, receiver, (secret) => kept.push(secret)));
  await makeTenant(processes[0]!.url, telegramPlan(telegram), receiver, (secret) => kept.push(secret));
  return {
    postgres,
    redis,
    queue,
    loseWakes: sharedOutage(redis),
    db,
    processes,
    of: (name) => processes.filter((one) => one.name === name),
    gateway,
    twilio,
    telegram,
    receiver,
    collector,
    tenants,
    databasePassword: secrets.database,
    env,
    secrets: kept,
    logFolder,
    answers: followAnswers(logFolder),
    postgresCrashes,
    stop,
    removeLogs: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A server process that crashes takes all connections with it. The faults send SIGKILL (9) and SIGQUIT (3). */
function isCrash(line: string): boolean {
  return /was terminated by signal (?!9:|3:)/.test(line);
}

function sharedOutage(redis: OwnRedis): () => Promise<void> {
  let outage: Promise<void> | null = null;
  async function takeAway(): Promise<void> {
    await redis.stop();
    await wait(withoutRedisMs);
    await redis.start();
    outage = null;
  }
  return () => (outage ??= takeAway());
}

async function prepareStores(stores: QueueStore): Promise<void> {
  const db = openTestDb(stores.databaseUrl, {
    applicationName: 'chaos',
    maxConnections: 4,
  });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  await prepareQueue(stores);
}

async function startPeers(stops: Stop[], logFolder: string): Promise<[Peer, Peer, Peer, Peer, Peer]> {
  const start = async (program: string, ...args: string[]): Promise<Peer> => {
    const peer = await startPeer(program, args);
    stops.push(() => peer.stop());
    return peer;
  };
  const testkit = 'packages/testkit/src/peers';
  return [
    await start(`${testkit}/http-sms/main.ts`),
    await start(`${testkit}/twilio/main.ts`),
    await start(`${testkit}/telegram-bot/main.ts`),
    await start('trials/kit/peers/receiver-main.ts'),
    await start('trials/kit/peers/collector-main.ts', logFolder),
  ];
}

interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly dataDir: string;
  readonly tree?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFolder: string;
  readonly collector: Peer;
}

/**
 * Starts two processes of each kind. A provider reports to the first or the second api, depending on the worker that
 * sent. The first of each kind sends spans of every message and the second none, so faults meet the statements
 * with traces and those without.
 */
async function startProcesses(
  { env, logFolder, collector, ...stores }: Stores,
  stops: Stop[],
): Promise<Supervised[]> {
  const apiPorts = [await freePort(), await freePort()];
  const start = async (name: ProcessName, index: number): Promise<Supervised> => {
    const one = await supervise(name, {
      ...stores,
      env: {
        ...env,
        PUBLIC_URL: `http://127.0.0.1:${apiPorts[index]}`,
        ...(index === 0 ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } : {}),
      },
      logFile: path.join(logFolder, `${name}-${index + 1}.log`),
      ...(name === 'api' ? { port: apiPorts[index]! } : {}),
    });
    stops.push(() => one.stop());
    return one;
  };
  const kinds = ['api', 'dispatch-worker', 'webhook-worker'] as const;
  return Promise.all(kinds.flatMap((name) => [start(name, 0), start(name, 1)]));
}

interface Secrets {
  readonly database: string;
  readonly master: string;
  readonly jwt: string;
}

function newSecrets(): Secrets {
  const key = (): string => randomBytes(32).toString('base64');
  return { database: randomBytes(18).toString('base64url'), master: key(), jwt: key() };
}

function environment({ master, jwt }: Secrets): Record<string, string> {
  return {
    MASTER_KEYS: `1:${master}`,
    JWT_SECRETS: `1:${jwt}`,
    BCRYPT_COST: '4',
    // All lines are searched for secrets and private contents.
    LOG_LEVEL: 'trace',
    RECEIPT_WAIT_SECONDS: String(receiptWaitSeconds),
  };
}
