import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';

/** The file to which test workers append what each test file took, one JSON object a line. Unset: nothing is measured. */
export const timesVariable = 'TEST_TIMES';

/** What one test file took. All times in ms. */
export interface FileTimes {
  readonly file: string;
  readonly project: string;
  /** From its first import to its end. */
  readonly wallMs: number;
  /** Until it and all that it imports was loaded. */
  readonly loadMs: number;
  /** CPU of the worker that ran it. */
  readonly cpuMs: number;
  /** CPU of processes that it started, and that ended before it did. */
  readonly childCpuMs: number;
  /** Processes that it started. */
  readonly started: number;
  /** Processes of the service that it started, and how long each took until it was ready. */
  readonly ready: readonly { readonly name: string; readonly ms: number }[];
}

/** Told by the testkit when a process of the service is ready: `{ name, ms }`. */
const readyChannel = 'notify.test.ready';
const childChannel = 'child_process';

/** Begins to measure a test file; null if nothing is to be measured. */
export function watchFor(
  { projectConfig: { displayName, rootDir } }: JestEnvironmentConfig,
  { testPath }: EnvironmentContext,
): FileWatch | null {
  const to = process.env[timesVariable];
  return to === undefined
    ? null
    : new FileWatch(path.relative(rootDir, testPath), displayName?.name ?? '', to);
}

/** Measures one test file. */
export class FileWatch {
  readonly #file: string;
  readonly #project: string;
  readonly #to: string;
  readonly #from = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #childCpuMs = childCpu();
  readonly #ready: { name: string; ms: number }[] = [];
  #loadMs = 0;
  #started = 0;

  constructor(file: string, project: string, to: string) {
    this.#file = file;
    this.#project = project;
    this.#to = to;
    subscribe(childChannel, this.#onChild);
    subscribe(readyChannel, this.#onReady);
  }

  /** The file and its imports are loaded. */
  loaded(): void {
    this.#loadMs = performance.now() - this.#from;
  }

  /** Writes the line of the file, which has ended. */
  end(): void {
    unsubscribe(childChannel, this.#onChild);
    unsubscribe(readyChannel, this.#onReady);
    const { user, system } = process.cpuUsage(this.#cpu);
    const times: FileTimes = {
      file: this.#file,
      project: this.#project,
      wallMs: Math.round(performance.now() - this.#from),
      loadMs: Math.round(this.#loadMs),
      cpuMs: Math.round((user + system) / 1_000),
      childCpuMs: childCpu() - this.#childCpuMs,
      started: this.#started,
      ready: this.#ready,
    };
    appendFileSync(this.#to, `${JSON.stringify(times)}\n`);
  }

  readonly #onChild = (): void => {
    this.#started += 1;
  };

  readonly #onReady = (message: unknown): void => {
    this.#ready.push(message as { name: string; ms: number });
  };
}

/** CPU of all ended children of this process in ms; 0 where `/proc` does not tell. */
function childCpu(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15)
      .map(Number);
    // In ticks of 10 ms (proc_pid_stat(5), `cutime` and `cstime`).
    return (user + system) * 10;
  } catch {
    return 0;
  }
}
