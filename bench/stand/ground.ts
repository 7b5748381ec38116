import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres } from '@notify/embedded';
import { createSecrets, type Secrets } from '@notify/runtime';
import { adminUrlVariable, freePort, makeDatabaseFolder, makeTemplate, startRedis } from '@notify/testkit';

/** What every row stands on: servers with their durable defaults, a folder, and keys of our own. */
export interface Ground {
  readonly dir: string;
  readonly redisUrl: string;
  readonly postgresPid: number;
  readonly redisPid: number;
  readonly secrets: Secrets;
  /** Settings of every process that is measured, ours and contenders alike. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts Postgres as `npm start` does (nothing is switched off) and Redis with its append-only file, synced every second. */
export async function openGround(flags: readonly string[]): Promise<Ground> {
  const dir = await makeDatabaseFolder('notify-bench-', { durable: true });
  const options = { dataDir: path.join(dir, 'data'), port: await freePort(), password: 'bench', flags };
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
