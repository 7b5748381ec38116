import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres } from '@notify/embedded';
import {
  adminUrlVariable,
  freePort,
  kannelMissing,
  makeDatabaseFolder,
  makeTemplate,
  startRedis,
} from '@notify/testkit';

const stops: (() => Promise<void>)[] = [];

/** Jest's global set-up: starts a Postgres and a Redis unless the environment names some. */
export default async function start(): Promise<void> {
  demandKannelInCi();
  process.env[adminUrlVariable] ??= await ownPostgres();
  await makeTemplate();
  process.env.TEST_REDIS_URL ??= process.env.REDIS_URL || (await ownRedis());
}

/** Ends the services that `start` began, in the order they were started. */
export async function stop(): Promise<void> {
  for (const end of stops.splice(0)) await end();
}

/** If Kannel is missing, its test says so and is skipped. In CI no test may be skipped. */
function demandKannelInCi(): void {
  const missing = kannelMissing();
  if (missing !== null && process.env.CI) throw new Error(`in CI no test is skipped, and ${missing}`);
}

async function ownPostgres(): Promise<string> {
  const dir = await makeDatabaseFolder('notify-postgres-', { durable: false });
  const flags = ['fsync=off', 'max_connections=300', 'max_wal_size=256MB'].flatMap((flag) => ['-c', flag]);
  const port = await freePort();
  const crashes: string[] = [];
  const server = await startPostgres({
    dataDir: path.join(dir, 'data'),
    port,
    password: 'test',
    flags,
    onLog(line) {
      if (line.includes('was terminated by signal')) crashes.push(line);
    },
  });
  stops.push(
    () => server.stop(),
    () => rm(server.folder, { recursive: true, force: true }),
    () => rm(dir, { recursive: true, force: true }),
    async () => {
      if (crashes.length > 0) throw new Error(`a server process of Postgres crashed: ${crashes.join('; ')}`);
    },
  );
  return server.url;
}

/** If no Redis can be started, the URL leads nowhere: suites that need Redis fail, the others run. */
async function ownRedis(): Promise<string> {
  try {
    const redis = await startRedis();
    stops.push(() => redis.stop());
    return redis.url;
  } catch (error) {
    console.error(`the Redis suites will fail: ${error instanceof Error ? error.message : String(error)}`);
    return 'redis://no-redis.invalid:6379';
  }
}
