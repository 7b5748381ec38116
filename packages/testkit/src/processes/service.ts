import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { makeDatabaseFolder } from '../databases/database-folder.ts';
import { cleanEnv, keepLines, runApp, stopChild } from './child.ts';

export interface ServiceOptions {
  /** Settings, over development's defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the queue is in Postgres. */
  readonly redisUrl?: string;
  /** Arguments of the program; default none. */
  readonly args?: readonly string[];
}

export interface RunningService {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** The service's output so far. */
  readonly lines: readonly string[];
  /** Ends it as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts what `npm start` runs, on a free port and in a data folder of its own. Resolves when the service says it is
 * ready.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = await makeDatabaseFolder('notify-service-', { durable: true });
  const env = cleanEnv({
    DATA_DIR: dataDir,
    PORT: '0',
    HEALTH_PORT: '',
    REDIS_URL: options.redisUrl ?? '',
    ...options.env,
  });
  const child = runApp('start', env, { args: options.args ?? [] });
  const lines: string[] = [];
  const end = async (): Promise<void> => {
    await stopChild(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const ready = await lineOf(child, lines, /^ready (\S+)$/);
    return { url: ready, dataDir, process: child, lines, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The first group of the first line that matches. Rejects with the output if the process ends before. */
function lineOf(child: ChildProcess, lines: string[], pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    keepLines(child, lines, (line) => {
      const found = pattern.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () =>
      reject(new Error(`the service ended before it was ready:\n${lines.join('\n')}`)),
    );
  });
}
