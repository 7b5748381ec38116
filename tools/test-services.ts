import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '@notify/all-in-one/postgres';
import { adminUrlVariable, freePort, makeTemplate, startRedis } from '@notify/testkit';

const stops: (() => Promise<void>)[] = [];

/** Jest's global set-up: a Postgres and a Redis of our own, unless the environment names some. */
export default async function start(): Promise<void> {
  if (process.env[adminUrlVariable] === undefined) {
    const dir = await mkdtemp(path.join(tmpdir(), 'notify-postgres-'));
    await chmod(dir, 0o755); // as root, the server runs as another user
    const server = await startPostgres({
      dataDir: path.join(dir, 'data'),
      port: await freePort(),
      password: 'test',
      flags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    });
    process.env[adminUrlVariable] = server.url;
    stops.push(
      () => server.stop(),
      () => rm(dir, { recursive: true, force: true }),
    );
  }
  await makeTemplate();
  if (process.env.TEST_REDIS_URL === undefined) {
    const redis = await startRedis();
    process.env.TEST_REDIS_URL = redis.url;
    stops.push(() => redis.stop());
  }
}

/** Ends what `start` began, last first. */
export async function stop(): Promise<void> {
  for (const end of stops.splice(0)) await end();
}
