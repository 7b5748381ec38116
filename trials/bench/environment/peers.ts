import { freePort } from '@notify/testkit';
import { startProgram } from './program.ts';

/** The SMS provider of `peers/provider.ts`. */
export interface Provider extends AsyncDisposable {
  /** Accepts messages. */
  readonly sendUrl: string;
  readonly pids: readonly number[];
  /** Sets its behaviour and clears its state. */
  configure(options: { readonly latencyMs?: number; readonly reports?: boolean }): Promise<void>;
  state(): Promise<{ readonly taken: number; readonly reported: number; readonly refused: number }>;
  /** Arrival time of each message, in ms since 1970, by its text. */
  arrivals(): Promise<Map<string, number>>;
}

/** Starts the provider. By default it answers at once and reports every delivery. */
export async function startProvider(): Promise<Provider> {
  const port = await freePort();
  const program = await startProgram('peers/provider.ts', { args: [port] });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string): Promise<string> => (await fetch(url + path)).text();
  return {
    sendUrl: `${url}/send`,
    pids: [program.pid],
    async configure({ latencyMs = 0, reports = true }) {
      await ask(`/configure?latencyMs=${latencyMs}&reports=${reports ? 'on' : 'off'}`);
    },
    state: async () => JSON.parse(await ask('/state')) as Awaited<ReturnType<Provider['state']>>,
    async arrivals() {
      const lines = (await ask('/arrivals')).split('\n');
      return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), Number.parseFloat(line)]));
    },
    [Symbol.asyncDispose]: () => program.stop(),
  };
}

/** The receiver of `peers/slow-receiver.ts`. */
export interface SlowReceiver extends AsyncDisposable {
  readonly url: string;
  answered(): Promise<number>;
}

/** Starts one that answers after `latencyMs`. */
export async function startSlowReceiver(latencyMs: number): Promise<SlowReceiver> {
  const port = await freePort();
  const program = await startProgram('peers/slow-receiver.ts', { args: [port, latencyMs] });
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    answered: async () => Number(await (await fetch(url)).text()),
    [Symbol.asyncDispose]: () => program.stop(),
  };
}
