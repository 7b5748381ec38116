import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProcessName } from '@notify/core';
import { prepareQueue } from '@notify/queue';
import { createLog, loadProcessSettings, type Log, type Settings } from '@notify/runtime';
import { testDatabase } from '../databases/databases.ts';
import { cleanEnv } from './child.ts';

/** An api and its workers in this process. */
export interface ServiceHere {
  /** The URL of the api. */
  readonly url: string;
  /** Lets them end their work, as SIGTERM does, and removes their database if they had one of their own. */
  stop(): Promise<void>;
}

export interface HereOptions {
  /** Settings, over development's defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** A migrated database. Default: one of its own, on the server of the test run. */
  readonly databaseUrl?: string;
  /** Whether to start the workers, too; default true. */
  readonly workers?: boolean;
}

interface App {
  readonly port?: number;
  close(): Promise<void>;
}

type Start = (settings: Settings, log: Log, version: string) => Promise<App>;

/** What `@notify/<app>/start` exports. */
const starts = {
  api: 'startApi',
  'dispatch-worker': 'startDispatchWorker',
  'webhook-worker': 'startWebhookWorker',
} as const satisfies Partial<Record<ProcessName, string>>;

/**
 * Starts an api, a dispatch worker and a webhook worker in this process, with the queue in Postgres unless settings name a
 * Redis, and resolves when they take requests and turns. It is for tests that only need a service: five processes cost ten
 * seconds of CPU. For what separate processes show, such as kills, memory or metrics, there is `startService`.
 */
export async function startServiceHere({
  env = {},
  workers = true,
  ...options
}: HereOptions = {}): Promise<ServiceHere> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-here-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const databaseUrl = options.databaseUrl ?? stack.use(await testDatabase()).url;
  const settings = await loadProcessSettings(
    cleanEnv({
      NOTIFY_MODE: 'development',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      REDIS_URL: '',
      HOST: '127.0.0.1',
      PORT: '0',
      HEALTH_PORT: '0',
      // No other api could take over.
      DRAIN_SECONDS: '0',
      ...env,
    }),
  );
  await prepareQueue(settings);
  const names = workers ? (Object.keys(starts) as (keyof typeof starts)[]) : (['api'] as const);
  const [api] = await Promise.all(
    names.map(async (name) => {
      const app = await start(name, settings);
      stack.defer(() => app.close());
      return app;
    }),
  );
  const started = stack.move();
  return { url: `http://127.0.0.1:${api!.port}`, stop: () => started.disposeAsync() };
}

async function start(name: keyof typeof starts, settings: Settings): Promise<App> {
  const { [starts[name]]: startApp } = (await import(`@notify/${name}/start`)) as Record<string, Start>;
  return startApp!(settings, createLog(settings, name), '0.0.0');
}
