import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@notify/embedded';
import { endWithUs } from '../processes/end-with-us.ts';
import { until } from '../until.ts';
import { demandProgram } from './programs.ts';

/** A PgBouncer of our own on loopback, of Debian's package `pgbouncer`. */
export interface RunningPgBouncer extends AsyncDisposable {
  /** The URL of the same database as the server's, through the pooler. */
  readonly url: string;
}

export interface PgBouncerOptions {
  /** When a client gives its connection to Postgres back (PgBouncer, `pool_mode`). */
  readonly mode: 'session' | 'transaction';
  /** The URL of a server on one host. */
  readonly server: string;
  /** The most connections to one database; default 40. */
  readonly poolSize?: number;
  /** More lines of its section `[pgbouncer]`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** PgBouncer refuses to run as root. */
const unprivileged = 'nobody';

/** Starts PgBouncer on a free port. It serves every database of the server. Resolves when it takes connections. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<RunningPgBouncer> {
  const { mode, server, poolSize = 40, settings = {} } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration(new URL(server), { port, mode, poolSize, settings }));
  const asRoot = process.getuid?.() === 0 ? ['-u', unprivileged] : [];
  const child = spawn(demandProgram('pgbouncer'), ['-q', ...asRoot, file], { stdio: 'ignore', cwd: '/' });
  endWithUs(child);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return answers(port);
  });
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGQUIT');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `any` lets every client be the server's user, whose password only the pooler has. */
function configuration(
  { hostname, port, username, password }: URL,
  own: { readonly port: number } & Pick<Required<PgBouncerOptions>, 'mode' | 'poolSize' | 'settings'>,
): string {
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: own.port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: own.mode,
    default_pool_size: own.poolSize,
    max_client_conn: 1_000,
    ...own.settings,
  };
  const database = `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const section = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', database, '', '[pgbouncer]', ...section, ''].join('\n');
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
