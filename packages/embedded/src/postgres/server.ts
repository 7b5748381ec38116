import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type PostgresBinaries, postgresBinaries } from './binaries.ts';
import { holdsCluster, reachableFolder } from './folder.ts';
import { endLeftover } from './leftover.ts';
import { type ServerAccount, serverAccount } from './account.ts';

const run = promisify(execFile);
const majorVersion = '18';

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  /** Extra server flags, such as `-c fsync=off` for tests. The default is durable. */
  readonly flags?: readonly string[];
  /** Receives each line of the server's log. */
  readonly onLog?: (line: string) => void;
  /** Receives messages for a person: another folder is used, a left-over server was ended. */
  readonly say?: (line: string) => void;
}

export interface RunningPostgres {
  /** URL of the `postgres` database, as its superuser. */
  readonly url: string;
  /** The actual data folder; see `reachableFolder`. */
  readonly folder: string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown; resolves when the server has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a Postgres server of our own on loopback, with its data in `dataDir`, which is initialised at the first start.
 * The server has its own session, so a Ctrl-C in the terminal does not reach it. It ends when this process ends,
 * however that happens. Throws a one-line error if the folder is unusable or the server does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const say = options.say ?? (() => undefined);
  const account = await serverAccount();
  const binaries = await postgresBinaries(account);
  const folder = await reachableFolder(path.resolve(options.dataDir), account, say);
  await endLeftover(folder, say);
  if (!(await holdsCluster(folder, majorVersion)))
    await initialise(folder, options.password, binaries, account);
  const server = spawnServer(folder, options, binaries, account);
  const ended = once(server, 'close').then(() => undefined);
  await untilReady(server, options.onLog);
  return {
    url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/postgres`,
    folder,
    ended,
    async stop() {
      server.stdin?.end();
      await ended;
    },
  };
}

/** Initialises a temporary folder and renames it, so that an interruption leaves nothing that looks like a database. */
async function initialise(
  folder: string,
  password: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  const passwordFile = `${unfinished}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== null) {
    for (const made of [unfinished, passwordFile]) await chown(made, account.uid, account.gid);
  }
  try {
    await run(
      binaries.initdb,
      [...initdbFlags, `--pgdata=${unfinished}`, `--pwfile=${passwordFile}`],
      as(account),
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, folder);
}

/** The built-in C.UTF-8 is the same on every system, unlike libc's locales. */
const initdbFlags = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/**
 * The shell waits until its standard input ends, which happens when we close it or are gone. Then it asks the server
 * for a fast shutdown (SIGINT) and resumes server processes that were stopped. It keeps the server's log closed, so the
 * end of the log means that the server has ended.
 */
const keeper = `
"$@" </dev/null & server=$!
exec 2>/dev/null
cat >/dev/null
kill -INT $server
ps -A -o pid= -o ppid= | while read -r pid parent; do [ $parent = $server ] && kill -CONT $pid; done
kill -CONT $server
wait $server`;

function spawnServer(
  folder: string,
  options: PostgresOptions,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'log_timezone=UTC',
  ];
  const flags = [...settings.flatMap((setting) => ['-c', setting]), ...(options.flags ?? [])];
  const command = [binaries.postgres, '-D', folder, '-p', String(options.port), ...flags];
  return spawn('/bin/sh', ['-c', keeper, 'sh', ...command], {
    ...as(account),
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

/** The server gets none of our environment, which contains secrets. */
function as(account: ServerAccount | null) {
  const user = account === null ? {} : { uid: account.uid, gid: account.gid };
  return { ...user, cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' } };
}

/** The line of a standby says `read-only connections`. */
const isReady = /database system is ready to accept (read-only )?connections/;

async function untilReady(
  server: ChildProcess,
  onLog: (line: string) => void = () => undefined,
): Promise<void> {
  let fatal = '';
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface({ input: server.stderr! });
    lines.on('line', (line) => {
      onLog(line);
      if (fatal === '' && line.includes('FATAL')) fatal = line;
      if (isReady.test(line)) resolve();
    });
    lines.on('close', () => {
      server.stdin?.end();
      reject(new Error(`Postgres did not start: ${fatal}`));
    });
  });
}
