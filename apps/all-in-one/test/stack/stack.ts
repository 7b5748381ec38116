import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type Compose,
  endWithUs,
  exampleEnv,
  freePort,
  listProcesses,
  type OwnPostgres,
  readCompose,
  startOwnPostgres,
  until,
} from '@notify/testkit';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../../..');

/** What an operator writes into .env. */
export interface Secrets {
  readonly POSTGRES_PASSWORD: string;
  readonly DATABASE_PASSWORD: string;
  readonly REDIS_PASSWORD: string;
  readonly MASTER_KEYS: string;
  readonly JWT_SECRETS: string;
}

export function newSecrets(): Secrets {
  const password = (): string => randomBytes(24).toString('hex');
  const key = (): string => `1:${randomBytes(32).toString('base64')}`;
  return {
    POSTGRES_PASSWORD: password(),
    DATABASE_PASSWORD: password(),
    REDIS_PASSWORD: password(),
    MASTER_KEYS: key(),
    JWT_SECRETS: key(),
  };
}

/** docker-compose.yml with these secrets and settings in .env. */
export function composeWith(secrets: Secrets, settings: Readonly<Record<string, string>> = {}): Compose {
  return readCompose('docker-compose.yml', exampleEnv({ ...secrets, ...settings }));
}

/** The environment of the api in docker-compose.yml, with servers that are somewhere else. */
export function apiEnvironment(
  compose: Compose,
  ports: { readonly postgres: number; readonly redis: number },
): Record<string, string> {
  const entries = Object.entries(compose.services.api?.environment ?? {});
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      String(value)
        .replace('@postgres:5432', `@127.0.0.1:${ports.postgres}`)
        .replace('@redis:6379', `@127.0.0.1:${ports.redis}`),
    ]),
  );
}

/** Runs the script that Postgres's image runs when its volume is new. Returns its output. */
export async function makeRole(postgres: OwnPostgres, secrets: Secrets): Promise<string> {
  const { hostname, port } = new URL(postgres.url);
  const { stdout, stderr } = await run(path.join(root, 'ops/postgres/notify-role.sh'), {
    env: {
      PATH: '/usr/bin:/bin',
      PGHOST: hostname,
      PGPORT: port,
      PGPASSWORD: secrets.POSTGRES_PASSWORD,
      NOTIFY_PASSWORD: secrets.DATABASE_PASSWORD,
    },
  });
  return stdout + stderr;
}

/** Runs the command of `migrate` in docker-compose.yml. Rejects if it fails. */
export async function runMigrate(compose: Compose, env: Readonly<Record<string, string>>): Promise<string> {
  const [, ...args] = compose.services.migrate?.command ?? [];
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { PATH: '/usr/bin:/bin', ...env } });
  return stdout;
}

export function startPostgresOf({ POSTGRES_PASSWORD: password }: Secrets): Promise<OwnPostgres> {
  return startOwnPostgres({ password });
}

/** The programs that `startStackRedis` needs. */
export const stackRedis = ['redis-server', 'redis-cli'] as const;

/** Redis with the command line of docker-compose.yml. */
export interface StackRedis extends AsyncDisposable {
  readonly port: number;
  /** Its arguments, as the process list shows them. */
  readonly arguments: string;
  /** Runs the health check of docker-compose.yml with this password. Rejects if it fails. */
  check(password: string): Promise<string>;
  /** Its configuration. */
  config(password: string): Promise<Record<string, string>>;
}

export async function startStackRedis(compose: Compose): Promise<StackRedis> {
  const { command = [], environment = {}, healthcheck } = compose.services.redis ?? {};
  const [shell = '', flag = '', script = ''] = command;
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-stack-redis-'));
  const searchPath = '/usr/local/bin:/usr/bin:/bin';
  const child = spawn(shell, [flag, script.replace('redis-server -', `redis-server - --port ${port}`)], {
    cwd: folder,
    env: { PATH: searchPath, ...environment },
    stdio: 'ignore',
  });
  endWithUs(child);
  const ask = async (password: string, words: readonly string[]): Promise<string> => {
    const env = { PATH: searchPath, REDISCLI_AUTH: password };
    return (await run('redis-cli', ['-p', String(port), ...words], { env })).stdout.trim();
  };
  const check = (password: string) => ask(password, healthcheck?.test?.slice(2) ?? []);
  await until(() =>
    check(String(environment.REDISCLI_AUTH)).then(
      () => true,
      () => false,
    ),
  );
  return {
    port,
    arguments: listProcesses().find(({ pid }) => pid === child.pid)?.command ?? '',
    check,
    async config(password) {
      const lines = (await ask(password, ['config', 'get', '*'])).split('\n');
      const pairs = lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : []));
      return Object.fromEntries(pairs) as Record<string, string>;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
