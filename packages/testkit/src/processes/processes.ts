import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProcessName } from '@notify/core';
import { freePort } from '@notify/embedded';
import { type AppOptions, cleanEnv, hasEnded, keepLines, runApp, stopChild } from './child.ts';

export interface ProcessOptions extends AppOptions {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** Null keeps the queue in Postgres. */
  readonly redisUrl: string | null;
  /** The folder of the development secrets, unless `env` provides them. Processes with the same folder share them. */
  readonly dataDir: string;
  /** The port it listens on: the api for requests, a worker for health checks. Default: a free port. */
  readonly port?: number;
  /** The port of the api's metrics. Default: a free port. */
  readonly healthPort?: number;
  /** Settings, over development's defaults. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProcess {
  readonly name: ProcessName;
  /** The base URL of the api, or the URL below which a worker answers `/readyz`. */
  readonly url: string;
  /** The URL below which it answers `/metrics`, `/healthz` and `/readyz`. The same as `url` for a worker. */
  readonly healthUrl: string;
  readonly process: ChildProcess;
  /** Its output so far; empty if that goes to a file. */
  readonly lines: readonly string[];
  /** Resolves when it says it is ready. Rejects with its output if it ends before. */
  ready(): Promise<void>;
  /** Resolves when it has ended, with the signal that ended it, or null. */
  ended(): Promise<NodeJS.Signals | null>;
  /** Sends SIGTERM if it still runs. Resolves when it has ended. */
  stop(): Promise<void>;
  /**
   * Stops it if it still runs, and starts the same process on the same ports: of another tree, if one is given. It
   * preloads only these modules.
   */
  restart(preload?: readonly string[], tree?: string): Promise<RunningProcess>;
}

/** Starts one process as production does, with development's defaults, and does not wait until it is ready. */
export async function startProcess(name: ProcessName, options: ProcessOptions): Promise<RunningProcess> {
  const port = options.port ?? (await freePort());
  const healthPort = name === 'api' ? (options.healthPort ?? (await freePort())) : port;
  const host = options.env?.HOST ?? '127.0.0.1';
  const url = `http://${host}:${port}`;
  const child = runApp(name, envOf({ PORT: port, HEALTH_PORT: healthPort }, options), options);
  const lines: string[] = [];
  keepLines(child, lines);
  return {
    name,
    url,
    healthUrl: `http://${host}:${healthPort}`,
    process: child,
    lines,
    ready: () => untilReady(name, url, child, lines),
    async ended() {
      if (!hasEnded(child)) await once(child, 'exit');
      return child.signalCode;
    },
    stop: () => stopChild(child),
    async restart(preload = [], tree = options.tree) {
      await stopChild(child);
      const own = tree === undefined ? {} : { tree };
      return startProcess(name, { ...options, ...own, port, healthPort, preload });
    },
  };
}

function envOf(
  ports: { readonly PORT: number; readonly HEALTH_PORT: number },
  options: ProcessOptions,
): NodeJS.ProcessEnv {
  return cleanEnv({
    NOTIFY_MODE: 'development',
    DATA_DIR: options.dataDir,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? '',
    PORT: String(ports.PORT),
    HEALTH_PORT: String(ports.HEALTH_PORT),
    ...options.env,
  });
}

/** Where `npm run test-times` learns how long processes take to be ready. */
const readyTimes = channel('notify.test.ready');

async function untilReady(
  name: string,
  url: string,
  child: ChildProcess,
  lines: readonly string[],
): Promise<void> {
  const from = performance.now();
  while (!hasEnded(child)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) {
      readyTimes.publish({ name, ms: Math.round(performance.now() - from) });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} ended before it was ready:\n${lines.join('\n')}`);
}

export interface ProcessesOptions extends Omit<ProcessOptions, 'dataDir' | 'port' | 'main'> {
  /** How many of each; default 1. */
  readonly api?: number;
  readonly dispatch?: number;
  readonly webhook?: number;
  /** Default 0. */
  readonly whatsapp?: number;
}

export interface RunningProcesses {
  readonly api: readonly RunningProcess[];
  readonly dispatch: readonly RunningProcess[];
  readonly webhook: readonly RunningProcess[];
  readonly whatsapp: readonly RunningProcess[];
  /** Sends SIGTERM to those that still run. Resolves when all have ended. */
  stop(): Promise<void>;
}

/**
 * Starts the processes separately, as production runs them, with development's defaults. Resolves when all are ready.
 */
export async function startProcesses(options: ProcessesOptions): Promise<RunningProcesses> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-processes-'));
  const started: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  const several = async (name: ProcessName, count = 1): Promise<RunningProcess[]> => {
    const own = await Promise.all(
      Array.from({ length: count }, () => startProcess(name, { ...options, dataDir })),
    );
    started.push(...own);
    return own;
  };
  try {
    const api = await several('api', options.api);
    const dispatch = await several('dispatch-worker', options.dispatch);
    const webhook = await several('webhook-worker', options.webhook);
    const whatsapp = await several('whatsapp-sessions', options.whatsapp ?? 0);
    await Promise.all(started.map((one) => one.ready()));
    return { api, dispatch, webhook, whatsapp, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
