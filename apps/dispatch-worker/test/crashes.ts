import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import {
  freePort,
  type Harmful,
  type RunningProcess,
  type SmsGateway,
  startHarmful,
  startProcess,
  startRedis,
  startSmsGateway,
  testDatabase,
} from '@notify/testkit';

/** An installation whose dispatch workers are harmed, but for one that is there all the time. */
export interface Crashes extends AsyncDisposable {
  readonly db: Db;
  readonly gateway: SmsGateway;
  readonly api: RunningProcess;
  readonly harmful: Harmful;
  /** Starts a webhook worker. The sweeper finds what it has to do. */
  startPosting(): Promise<void>;
}

const main = path.join(import.meta.dirname, 'quick-worker.ts');

/** Nobody listens to the wakes of the api. */
const deadQueue = 15;

/** Starts an api, a gateway and a worker; until the sweepers may run, that one does nothing. `more` settings are for all. */
export async function startCrashes(more: Readonly<Record<string, string>> = {}): Promise<Crashes> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-crashes-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { db, url: databaseUrl } = starting.use(await testDatabase());
  const redis = await startRedis();
  starting.defer(() => redis.stop());
  const gateway = starting.use(await startSmsGateway());
  const port = await freePort();
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RECEIPT_WAIT_SECONDS: '1',
    DATABASE_CONNECTIONS: '5',
    BCRYPT_COST: '4',
    ...more,
  };
  const options = { databaseUrl, dataDir, env };
  const worker = (redisUrl: string, preload: readonly string[] = [], own = {}): Promise<RunningProcess> =>
    startProcess('dispatch-worker', { ...options, redisUrl, main, preload, env: { ...env, ...own } });
  const harmful = starting.use(
    await startHarmful({ db, databaseUrl, redisUrl: redis.url, kind: 'dispatch', start: worker }),
  );
  const survivor = await worker(harmful.survivorsUrl);
  starting.defer(() => survivor.stop());
  const api = await startProcess('api', { ...options, port, redisUrl: `${redis.url}/${deadQueue}` });
  starting.defer(() => api.stop());
  await Promise.all([api.ready(), survivor.ready()]);
  const started = starting.move();
  const startPosting = async (): Promise<void> => {
    const posting = await startProcess('webhook-worker', { ...options, redisUrl: harmful.survivorsUrl });
    started.defer(() => posting.stop());
    await posting.ready();
  };
  return { db, gateway, api, harmful, startPosting, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
