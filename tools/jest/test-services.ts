import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres } from '@notify/embedded';
import { adminUrlVariable, freePort, makeDatabaseFolder, makeTemplate, startRedis } from '@notify/testkit';

const stops: (() => Promise<void>)[] = [];
let users = 0;

/** Jest's global set-up: starts a Postgres and a Redis unless the environment names some. Projects share them. */
export default async function start(): Promise<void> {
  users += 1;
  if (users > 1) return;
  process.env[adminUrlVariable] ??= await ownPostgres();
  await makeTemplate();
  const redisUrl = process.env.TEST_REDIS_URL ?? (process.env.REDIS_URL || (await ownRedis()));
  if (redisUrl !== null) process.env.TEST_REDIS_URL = redisUrl;
}

/** Ends the services that `start` began, in the order they were started, once each of its callers is done. */
export async function stop(): Promise<void> {
  users -= 1;
  if (users > 0) return;
  for (const end of stops.splice(0)) await end();
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

/** Null if no Redis can be started: tests that need one are skipped and say so, and in CI they fail. */
async function ownRedis(): Promise<string | null> {
  try {
    const redis = await startRedis();
    stops.push(() => redis.stop());
    return redis.url;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}
