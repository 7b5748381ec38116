import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Settings that lead the processes to the peers of `npm run peers` instead of the providers; null if it is not running. */
export type PeerSettings = Readonly<Record<string, string>> | null;

/** What `npm run peers` leaves in the data folder while it runs. */
interface PeersFile {
  readonly pid: number;
  readonly settings: Readonly<Record<string, string>>;
}

const lookEveryMs = 500;

/** The settings of the `npm run peers` that uses this data folder. A file that a killed one left behind does not count. */
export async function peerSettings(dataDir: string): Promise<PeerSettings> {
  try {
    const { pid, settings } = JSON.parse(
      await readFile(path.join(dataDir, 'peers.json'), 'utf8'),
    ) as PeersFile;
    process.kill(pid, 0); // throws if there is no such process
    return settings;
  } catch {
    return null;
  }
}

/** Calls `onChange` whenever the settings are other than before, one call at a time. Resolves when `ended` aborts. */
export async function followPeers(
  dataDir: string,
  before: PeerSettings,
  ended: AbortSignal,
  onChange: (found: PeerSettings) => Promise<void>,
): Promise<void> {
  for (let known = before; !ended.aborted;) {
    await delay(lookEveryMs, undefined, { signal: ended }).catch(() => undefined);
    const found = ended.aborted ? known : await peerSettings(dataDir);
    if (isDeepStrictEqual(found, known)) continue;
    known = found;
    await onChange(found);
  }
}
