import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { freePort, type ProcessName, startProcess, testDatabase } from '@notify/testkit';
import type { Environment } from './environment.ts';
import type { Watched } from './watch.ts';

/** Our processes as production runs them, over their own database. */
export interface BenchService extends AsyncDisposable {
  readonly db: Db;
  readonly databaseUrl: string;
  /** The first api. */
  readonly apiUrl: string;
  readonly apiUrls: readonly string[];
  /** The URL of each process's health checks and metrics. */
  readonly healthUrls: readonly string[];
  /** Every process, Postgres and Redis, for `watch`. */
  readonly processes: Watched;
  /** Starts one more process beside those that run. */
  add(name: ProcessName): Promise<void>;
}

export interface ServiceOptions {
  /** How many apis; default 1. */
  readonly apis?: number;
  /** Default: the Redis of the environment. */
  readonly queue?: { readonly url: string; readonly pids: readonly number[] };
  /** Workers beside the api; default: a dispatch worker and a webhook worker. */
  readonly workers?: readonly ProcessName[];
  readonly env?: Readonly<Record<string, string>>;
  /** URLs of modules that every process loads first. */
  readonly preload?: readonly string[];
}

/** Starts the apis and the workers. Their logs go to files, as in production. */
export async function startService(
  environment: Environment,
  options: ServiceOptions = {},
): Promise<BenchService> {
  const { apis = 1, workers = ['dispatch-worker', 'webhook-worker'], env = {}, preload = [] } = options;
  const { queue = { url: environment.redisUrl, pids: [environment.redisPid] } } = options;
  const database = await testDatabase();
  const apiPorts: number[] = [];
  while (apiPorts.length < apis) apiPorts.push(await freePort());
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`);
  const apiUrl = apiUrls[0]!;
  const stops: (() => Promise<void>)[] = [];
  const healthUrls: string[] = [];
  const processes: Record<string, number[]> = {
    postgres: [environment.postgresPid],
    redis: [...queue.pids],
  };
  async function add(name: ProcessName, port?: number): Promise<void> {
    const one = await startProcess(name, {
      databaseUrl: database.url,
      redisUrl: queue.url,
      dataDir: environment.dir,
      ...(port === undefined ? {} : { port }),
      logFile: path.join(environment.dir, `${name}.log`),
      preload,
      // Providers report to the apis in turn, depending on the worker that sent.
      env: { ...environment.env, PUBLIC_URL: apiUrls[(processes[name]?.length ?? 0) % apis]!, ...env },
    });
    stops.push(() => one.stop());
    healthUrls.push(one.healthUrl);
    (processes[name] ??= []).push(one.process.pid!);
    await one.ready();
  }
  for (const port of apiPorts) await add('api', port);
  for (const name of workers) await add(name);
  return {
    db: database.db,
    databaseUrl: database.url,
    apiUrl,
    apiUrls,
    healthUrls,
    processes,
    add: (name) => add(name),
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      await database[Symbol.asyncDispose]();
    },
  };
}
