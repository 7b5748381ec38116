import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { freePort, type ProcessName, startProcess, testDatabase } from '@notify/testkit';
import type { Ground } from './ground.ts';
import { startProgram } from './program.ts';
import type { Watched } from './watch.ts';

/** The service's processes over a database of their own, as production runs them. */
export interface BenchService extends AsyncDisposable {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly apiUrl: string;
  /** What is to be observed: every process and the servers under them. */
  readonly processes: Watched;
  /** Starts one more process beside those that run. */
  add(name: ProcessName): Promise<void>;
}

export interface ServiceOptions {
  /** Workers wanted beside the api; default one of each kind. */
  readonly workers?: readonly ProcessName[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts one api and the workers wanted. Their logs go to files, as they would. */
export async function startService(ground: Ground, options: ServiceOptions = {}): Promise<BenchService> {
  const { workers = ['dispatch-worker', 'webhook-worker'], env = {} } = options;
  const database = await testDatabase();
  const apiPort = await freePort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const stops: (() => Promise<void>)[] = [];
  const processes: Record<string, number[]> = { postgres: [ground.postgresPid], redis: [ground.redisPid] };
  async function add(name: ProcessName): Promise<void> {
    const one = await startProcess(name, {
      databaseUrl: database.url,
      redisUrl: ground.redisUrl,
      dataDir: ground.dir,
      ...(name === 'api' ? { port: apiPort } : {}),
      logFile: path.join(ground.dir, `${name}.log`),
      env: { ...ground.env, PUBLIC_URL: apiUrl, ...env },
    });
    stops.push(() => one.stop());
    (processes[name] ??= []).push(one.process.pid!);
    await one.ready();
  }
  for (const name of ['api', ...workers] as const) await add(name);
  return {
    db: database.db,
    databaseUrl: database.url,
    apiUrl,
    processes,
    add,
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A contender of the api over the database of a service; see `contenders/api.ts`. */
export async function startContender(
  ground: Ground,
  { databaseUrl }: BenchService,
  heart: 'constant' | 'naive',
): Promise<{ readonly apiUrl: string } & AsyncDisposable> {
  const port = await freePort();
  const program = await startProgram('contenders/api.ts', {
    args: [heart],
    logFile: path.join(ground.dir, `${heart}.log`),
    env: {
      NOTIFY_MODE: 'development',
      DATABASE_URL: databaseUrl,
      REDIS_URL: ground.redisUrl,
      PORT: String(port),
      ...ground.env,
    },
  });
  return { apiUrl: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => program.stop() };
}
