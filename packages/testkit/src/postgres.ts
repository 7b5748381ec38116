import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '@notify/all-in-one/postgres';
import { freePort } from './ports.ts';

/** A Postgres server of a test's own, which it may stop and start again with what it held. */
export interface OwnPostgres {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** Starts a Postgres server beside the tests' shared one, for a test that stops it. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-own-postgres-'));
  await chmod(dir, 0o755); // as root, the server runs as another user
  const port = await freePort();
  const open = () =>
    startPostgres({ dataDir: path.join(dir, 'data'), port, password: 'test', flags: ['-c', 'fsync=off'] });
  let server = await open();
  let running = true;
  async function stop() {
    if (running) await server.stop();
    running = false;
  }
  return {
    url: server.url,
    stop,
    async start() {
      server = await open();
      running = true;
    },
    async remove() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
