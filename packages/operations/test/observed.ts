import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, preloadOf, type ProcessName, type RunningProcess, startProcess } from '@notify/testkit';

const main = path.join(import.meta.dirname, 'observed-process.ts');

export interface Observed extends RunningProcess {
  /** The values of its metrics whose names and labels match, by name and labels. */
  scrape(wanted: RegExp): Promise<Record<string, number>>;
}

export interface ObservedOptions {
  readonly databaseUrl: string;
  readonly name?: ProcessName;
  readonly env?: Readonly<Record<string, string>>;
  /** How far its clock is off. */
  readonly clockOffMs?: number;
}

/** Starts a process that shows itself and samples every second. Resolves when it is ready. */
export async function startObserved(options: ObservedOptions): Promise<Observed> {
  const { databaseUrl, name = 'dispatch-worker', env = {}, clockOffMs } = options;
  const port = await freePort();
  const running = await startProcess(name, {
    main,
    port,
    databaseUrl,
    redisUrl: null,
    dataDir: await mkdtemp(path.join(tmpdir(), 'notify-observed-')),
    env: { OBSERVED_NAME: name, HEALTH_PORT: String(port), SAMPLE_SECONDS: '1', ...env },
    preload: clockOffMs === undefined ? [] : [preloadOf({ does: 'clock', offsetMs: clockOffMs })],
  });
  await running.ready();
  return { ...running, scrape: (wanted) => scrape(running, wanted) };
}

async function scrape({ process: child }: RunningProcess, wanted: RegExp): Promise<Record<string, number>> {
  const answered = once(child, 'message') as Promise<[string]>;
  child.send('scrape');
  const [text] = await answered;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && wanted.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
