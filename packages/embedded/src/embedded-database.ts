import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { admitServer } from './postgres/account.ts';
import { startPostgres } from './postgres/server.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The Postgres of `npm start`, in `DATA_DIR/postgres`. If it ends by itself it is restarted on the same port, and its
 * clients reconnect by themselves. If its data need not outlive this process, it does not wait for the disk.
 */
export async function embeddedDatabase(
  dataDir: string,
  say: (line: string) => void,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<EmbeddedDatabase> {
  const folder = path.join(dataDir, 'postgres');
  await admitServer(dataDir);
  const flags = durable ? [] : withoutDisk;
  const options = { dataDir: folder, port: await freePort(), password: await passwordOf(folder), say, flags };
  const stopped = new AbortController();
  let server = await startPostgres(options);
  const kept = keep();

  async function keep(): Promise<void> {
    for (;;) {
      await server.ended;
      if (stopped.signal.aborted) return;
      say('Postgres ended unexpectedly; restarting it');
      await again();
      if (stopped.signal.aborted) return server.stop();
    }
  }

  async function again(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        server = await startPostgres(options);
        return;
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
        await delay(1_000, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  return {
    url: server.url,
    async stop() {
      stopped.abort();
      await server.stop();
      await kept;
    },
  };
}

/** https://www.postgresql.org/docs/18/non-durability.html */
const withoutDisk = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'].flatMap((setting) => [
  '-c',
  setting,
]);

/** The password, stored beside the folder: anybody who can read one can read the other. */
async function passwordOf(folder: string): Promise<string> {
  const file = `${folder}-password`;
  const known = existsSync(file) ? (await readFile(file, 'utf8')).trim() : '';
  if (known !== '') return known;
  if (existsSync(folder))
    throw new Error(`${file} is missing: without it, the database beside it cannot be opened`);
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, password, { mode: 0o600, flush: true });
  return password;
}
