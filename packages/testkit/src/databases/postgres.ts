import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort, type PostgresOptions, startPostgres } from '@notify/embedded';
import { listProcesses } from '../processes/process-list.ts';
import { makeDatabaseFolder } from './database-folder.ts';

/** A Postgres server that a test may stop and start again with its data. */
export interface OwnServer {
  /** URL of the `postgres` database, as its superuser. */
  readonly url: string;
  /** The folder of its data. */
  readonly folder: string;
  /**
   * Fast: connections are closed and open transactions rolled back. Immediate: as in a power failure. Killed: SIGKILL
   * to all its processes. Does nothing if it does not run.
   */
  stop(how?: 'fast' | 'immediate' | 'killed'): Promise<void>;
  start(): Promise<void>;
  /** Freezes all its processes: connections stay open and the system accepts new ones, but the server answers none. */
  freeze(): Promise<void>;
  /** Resumes the frozen processes. */
  thaw(): Promise<void>;
}

/** A separate Postgres server for a test. */
export interface OwnPostgres extends OwnServer {
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** Default 200. */
  readonly maxConnections?: number;
  /** Whether committed data survives a crash of the machine, which is slower. Default false. */
  readonly durable?: boolean;
  readonly password?: string;
  /** Receives each line of the server's log. */
  readonly onLog?: (line: string) => void;
}

/** Starts a Postgres server beside the tests' shared one, for a test that stops it. */
export async function startOwnPostgres(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const { durable = false, password = 'test', maxConnections = 200, ...log } = options;
  const dir = await makeDatabaseFolder('notify-own-postgres-', { durable });
  const dataDir = path.join(dir, 'data');
  const server = await startServer({
    dataDir,
    port: await freePort(),
    password,
    flags: [...flagsOf(durable), '-c', `max_connections=${maxConnections}`],
    ...log,
  });
  return {
    ...server,
    async remove() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The flags of a server whose data need not, or must, survive a crash of the machine. */
export function flagsOf(durable: boolean): readonly string[] {
  return durable ? [] : ['-c', 'fsync=off'];
}

/** Starts a server that can be stopped, frozen and started again. Its data folder is made if it is missing. */
export async function startServer(options: PostgresOptions): Promise<OwnServer> {
  let server = await startPostgres(options);
  let running = true;
  let frozen: readonly number[] = [];

  async function thaw() {
    // The postmaster resumes last, because it reaps ended children, whose ids could then name other processes.
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
    frozen = [];
  }

  return {
    url: server.url,
    folder: server.folder,
    async stop(how = 'fast') {
      await thaw();
      if (!running) return;
      running = false;
      const postmaster = await postmasterOf(server.folder);
      if (how === 'immediate') process.kill(postmaster, 'SIGQUIT');
      if (how === 'killed') await killAll(postmaster);
      await server.stop();
    },
    async start() {
      server = await startPostgres(options);
      running = true;
    },
    async freeze() {
      const postmaster = await postmasterOf(server.folder);
      process.kill(postmaster, 'SIGSTOP');
      frozen = [postmaster, ...childrenOf(postmaster)];
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    thaw,
  };
}

/** The first line of `postmaster.pid` (PostgreSQL, "Database File Layout"). */
async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postmaster.pid'), 'utf8'), 10);
}

/** Kills the server with its children, because leftover children would keep a new server from starting. */
async function killAll(postmaster: number): Promise<void> {
  process.kill(postmaster, 'SIGSTOP');
  for (const pid of [...childrenOf(postmaster), postmaster]) killIfAlive(pid);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function childrenOf(parent: number): number[] {
  return listProcesses()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid);
}
