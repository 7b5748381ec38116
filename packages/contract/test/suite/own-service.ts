import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyDatabase, migrateDatabase, startService, startServiceHere } from '@notify/testkit';
import { type Service, serviceAt } from './service.ts';

/** Holds the data folder of the service that the suite's set-up started, where it started one. */
export const ownServiceVariable = 'CONTRACT_OWN_SERVICE';

/** Holds the settings of that service, as JSON. */
export const ownSettingsVariable = 'CONTRACT_OWN_SETTINGS';

function ownSettings(): Environment {
  return JSON.parse(process.env[ownSettingsVariable] ?? '{}') as Environment;
}

/** Holds the URL of the Redis of that service, where it has one. */
export const ownRedisVariable = 'CONTRACT_OWN_REDIS';

/** The settings of the queue of that service. */
export function redisSettings(): Readonly<Record<string, string>> {
  const url = process.env[ownRedisVariable];
  return url === undefined ? {} : { REDIS_URL: url, QUEUE_PARTITIONS: '6' };
}

/** A service that the suite started itself. */
export interface OwnService extends Service {
  stop(): Promise<void>;
}

/** One with a data folder of its own. */
export interface WholeService extends OwnService {
  readonly dataDir: string;
  /** The settings that it was started with. */
  readonly settings: Environment;
}

/** Where providers reach the suite's own service, as they are told. The tests call it back themselves. */
export const publicUrl = 'http://notify.example';

/** What lets the suite run at its own pace: nobody is slowed, passwords cost little, and no phone's network is called. */
const brisk = {
  PUBLIC_URL: publicUrl,
  LOGIN_ATTEMPTS_PER_MINUTE: '100000',
  LOGIN_ATTEMPTS_PER_ADDRESS: '100000',
  SESSION_RATE_PER_MINUTE: '100000',
  WEBHOOK_TESTS_PER_MINUTE: '100000',
  ACCOUNT_CHECKS_PER_MINUTE: '100000',
  BCRYPT_COST: '4',
  WHATSAPP_WEB_URL: 'ws://127.0.0.1:1/',
};

/** More settings for every process that the suite starts, as JSON: how the suite is run with another environment. */
export const settingsVariable = 'CONTRACT_SETTINGS';

type Environment = Readonly<Record<string, string>>;

/**
 * The given settings. If they name a server of Postgres, each service gets its own database on it: two services with
 * their own keys cannot share one.
 */
async function given(): Promise<Environment> {
  const settings = JSON.parse(process.env[settingsVariable] ?? '{}') as Environment;
  const server = settings['DATABASE_SESSION_URL'] ?? settings['DATABASE_URL'];
  if (server === undefined) return settings;
  const name = await emptyDatabase(server);
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) =>
      key === 'DATABASE_URL' || key === 'DATABASE_SESSION_URL'
        ? [key, withDatabase(value, name)]
        : [key, value],
    ),
  );
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Starts the whole service as `npm start` does, on a free port and a data folder of its own, with these settings. */
export async function openService(environment: Environment = {}): Promise<WholeService> {
  const settings = { ...brisk, ...(await given()), ...environment };
  const running = await startService({ env: settings });
  return { ...serviceAt(running.url), dataDir: running.dataDir, settings, stop: () => running.stop() };
}

/**
 * Starts an api and workers in this process, with these settings, on their own database: for settings that workers
 * read, too.
 */
export async function openServiceHere(environment: Environment): Promise<OwnService> {
  const settings: Environment = { ...brisk, ...(await given()), ...environment };
  const databaseUrl = settings['DATABASE_URL'] ?? (await databaseBesideOwn());
  await migrateDatabase(settings['DATABASE_SESSION_URL'] ?? databaseUrl);
  const running = await startServiceHere({ databaseUrl, env: settings });
  return { ...serviceAt(running.url), stop: () => running.stop() };
}

/**
 * Starts one more api of the service that the suite's set-up started, in this process, with settings that no other process
 * reads.
 */
export async function openApi(environment: Environment): Promise<OwnService> {
  const api = await startServiceHere({
    databaseUrl: await ownDatabaseUrl(),
    workers: false,
    env: { ...ownSettings(), DATA_DIR: process.env[ownServiceVariable] ?? '', ...environment },
  });
  return { ...serviceAt(api.url), stop: () => api.stop() };
}

async function databaseBesideOwn(): Promise<string> {
  const server = await ownDatabaseUrl();
  return withDatabase(server, await emptyDatabase(server));
}

async function ownDatabaseUrl(): Promise<string> {
  const file = path.join(process.env[ownServiceVariable] ?? '', 'connection.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { DATABASE_URL: string }).DATABASE_URL;
}
