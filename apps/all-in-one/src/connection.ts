import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The settings with which the operator's command line and `npm run peers` reach a running `npm start`. */
export interface Connection {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly QUEUE_PARTITIONS: string;
  /** The port that its api listens on, also where it was told to take a free one. */
  readonly PORT: string;
}

/**
 * Writes `connection.json` in the data folder, readable by its owner only, and returns a function that removes it. The
 * write is atomic, because the file may be read at any time.
 */
export async function publishConnection(
  dataDir: string,
  connection: Connection,
): Promise<() => Promise<void>> {
  const file = path.join(dataDir, 'connection.json');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return () => rm(file, { force: true });
}

/** What a running `npm start` published in the data folder. Null if there is none, or not yet. */
export async function readConnection(dataDir: string): Promise<Connection | null> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, 'connection.json'), 'utf8')) as Connection;
  } catch {
    return null;
  }
}
