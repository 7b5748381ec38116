import { freePort } from '@notify/testkit';

/** Asks a process, which has loaded `preload/thread-cpu.ts`, for the CPU of its event loop. */
export interface ThreadCpu {
  /** What the process needs to be started with. */
  readonly preload: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** CPU of the event loop while `run` runs, in ms, and what it resolves with. */
  during<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly cpuMs: number }>;
}

/** For a service with an api and no other process. */
export async function threadCpu(): Promise<ThreadCpu> {
  const port = await freePort();
  const read = async () => Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
  return {
    preload: [new URL('../preload/thread-cpu.ts', import.meta.url).href],
    env: { THREAD_CPU_PORT: String(port) },
    async during(run) {
      const before = await read();
      const result = await run();
      return { result, cpuMs: (await read()) - before };
    },
  };
}
