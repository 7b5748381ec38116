import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, type PostgresOptions } from '@notify/embedded';
import pg from 'pg';
import { makeDatabaseFolder } from '../database-folder.ts';
import { flagsOf, type OwnPostgresOptions, type OwnServer, startServer } from '../postgres.ts';
import { baseBackup, writeLike } from './base-backup.ts';

/** One of the two servers. Its name is that of its replication slot and of its connection to the primary. */
export interface ClusterServer extends OwnServer {
  readonly name: 'a' | 'b';
}

/** Two Postgres servers: a primary, and a standby that streams from it and has every commit before it is answered. */
export interface PostgresCluster {
  /** URL of both, for a client that follows the primary (PostgreSQL, "Specifying Multiple Hosts"). */
  readonly url: string;
  readonly primary: ClusterServer;
  /** After a promotion this is the old primary, whatever became of it, until it has rejoined. */
  readonly standby: ClusterServer;
  /**
   * Promotes the standby. Resolves at the moment it is the primary. It then runs alone: its commits wait for nobody, until the
   * other has rejoined. The old primary is not touched; its commits wait for a standby that is gone.
   */
  promote(): Promise<void>;
  /**
   * Ends the other server and makes it a standby by a new base backup, because `pg_rewind` is not among our binaries.
   * Whatever it alone had is gone. Resolves when commits wait for it.
   */
  rejoin(): Promise<void>;
  /** Stops both for good and removes their files. */
  remove(): Promise<void>;
}

const lookMs = 5;
const withinMs = 120_000;

/** Starts a primary and its synchronous standby. */
export async function startPostgresCluster(options: OwnPostgresOptions = {}): Promise<PostgresCluster> {
  const { durable = false, password = 'test', onLog } = options;
  const dir = await makeDatabaseFolder('notify-postgres-cluster-', { durable });
  const optionsOf = (name: 'a' | 'b', port: number): PostgresOptions => ({
    dataDir: path.join(dir, name),
    port,
    password,
    // Shared memory in the data folder, because a killed server whose folder is removed would leave it behind.
    flags: [...flagsOf(durable), '-c', 'dynamic_shared_memory_type=mmap'],
    ...(onLog === undefined ? {} : { onLog: (line: string) => onLog(`${name} ${line}`) }),
  });
  const optionsOfAll = { a: optionsOf('a', await freePort()), b: optionsOf('b', await freePort()) };
  let primary: ClusterServer = { name: 'a', ...(await startServer(optionsOfAll.a)) };
  let standby = await startStandby(primary, 'b', optionsOfAll.b);
  await demandSynchronous(primary.url, 'b');

  return {
    url: urlOf([primary.url, standby.url]),
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    async promote() {
      await promote(standby.url);
      [primary, standby] = [standby, primary];
    },
    async rejoin() {
      const { name } = standby;
      await standby.stop('immediate');
      await rm(optionsOfAll[name].dataDir, { recursive: true, force: true });
      standby = await startStandby(primary, name, optionsOfAll[name]);
      await demandSynchronous(primary.url, name);
    },
    async remove() {
      // The standby first: a primary that is stopped waits until its standby has everything.
      await standby.stop('immediate');
      await primary.stop('immediate');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function urlOf(urls: readonly string[]): string {
  const [first] = urls.map((url) => new URL(url));
  const hosts = urls.map((url) => new URL(url).host).join(',');
  return `postgres://${first!.username}:${first!.password}@${hosts}${first!.pathname}?target_session_attrs=read-write`;
}

async function startStandby(
  primary: ClusterServer,
  name: 'a' | 'b',
  options: PostgresOptions,
): Promise<ClusterServer> {
  // The slot keeps the WAL that the standby has not received, from before the copy.
  await asking(primary.url, (ask) => ask(`select pg_create_physical_replication_slot('${name}', true)`));
  await baseBackup(primary, options.dataDir);
  const { hostname, port, username, password } = new URL(primary.url);
  const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`;
  await writeLike(
    primary.folder,
    path.join(options.dataDir, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nprimary_slot_name = '${name}'\n`,
  );
  await writeLike(primary.folder, path.join(options.dataDir, 'standby.signal'), '');
  return { name, ...(await startServer(options)) };
}

/** Makes commits wait for the standby. Resolves when they do. */
async function demandSynchronous(url: string, name: string): Promise<void> {
  await asking(url, async (ask) => {
    const isIn = (column: string, value: string) => async (): Promise<boolean> =>
      (await ask(
        `select from pg_stat_replication where application_name = '${name}' and ${column} = '${value}'`,
      )) > 0;
    await until(isIn('state', 'streaming'));
    await ask(`alter system set synchronous_standby_names = '${name}'`);
    await ask('select pg_reload_conf()');
    await until(isIn('sync_state', 'sync'));
    // The checkpointer reads the setting for all sessions, and it does so before a checkpoint.
    await ask('checkpoint');
  });
}

async function promote(url: string): Promise<void> {
  await asking(url, async (ask) => {
    await ask('select pg_promote(wait => false)');
    await until(async () => (await ask('select where not pg_is_in_recovery()')) > 0);
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await holds());) {
    if (performance.now() > deadline) throw new Error(`the cluster is not ready after ${withinMs / 1_000} s`);
    await wait(lookMs);
  }
}

/** Asks one server on its own connection. The answer is the number of rows. */
async function asking(
  url: string,
  work: (ask: (statement: string) => Promise<number>) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(async (statement) => (await client.query(statement)).rows.length);
  } finally {
    await client.end();
  }
}
