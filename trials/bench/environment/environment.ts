import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres } from '@notify/embedded';
import { createSecrets, type Secrets } from '@notify/runtime';
import { adminUrlVariable, freePort, makeDatabaseFolder, makeTemplate, startRedis } from '@notify/testkit';

/** What all benchmarks share: servers with durable defaults, a folder and secrets. */
export interface Environment {
  readonly dir: string;
  readonly redisUrl: string;
  readonly postgresPid: number;
  readonly redisPid: number;
  readonly secrets: Secrets;
  /** Settings of every measured process, our own and the baselines'. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts Postgres as `npm start` does, with nothing switched off, and Redis with an append-only file that is synced
 * every second.
 */
export async function openEnvironment(flags: readonly string[]): Promise<Environment> {
  const dir = await makeDatabaseFolder('notify-bench-', { durable: true });
  const options = {
    dataDir: path.join(dir, 'data'),
    port: await freePort(),
    password: 'bench',
    flags,
    onLog: tellCrash,
  };
  const postgres = await startPostgres(options);
  process.env[adminUrlVariable] = postgres.url;
  await makeTemplate();
  const redis = await startRedis();
  const masterKey = randomBytes(32);
  return {
    dir,
    redisUrl: redis.url,
    postgresPid: Number(readFileSync(path.join(postgres.folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    redisPid: redis.process.pid!,
    secrets: createSecrets([{ version: 1, key: masterKey }]),
    env: {
      MASTER_KEYS: `1:${masterKey.toString('base64')}`,
      JWT_SECRETS: `a:${randomBytes(32).toString('base64')}`,
      KEY_RATE_PER_MINUTE: '1000000',
      MESSAGES_PER_MINUTE: '0',
      SESSION_RATE_PER_MINUTE: '1000000',
      MAX_WAITING_PER_TENANT: '1000000',
    },
    async close() {
      await redis.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A server process that crashes takes all connections with it, and the service goes on. Here that is a failure. */
function tellCrash(line: string): void {
  if (!line.includes('was terminated by signal')) return;
  console.error(line);
  process.exitCode = 1;
}
