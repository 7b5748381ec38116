import { once } from 'node:events';
import type { Hostile } from '../load/hostile-requests.ts';
import { startProgram } from './program.ts';

/** Kind and size of a flood. */
export interface FloodOptions {
  readonly kind: Hostile;
  /** The path of a callback, an API key, or the domain of email addresses. */
  readonly target: string;
  readonly connections: number;
  readonly seconds: number;
  /** A request without an answer is given up after this time. */
  readonly patienceMs: number;
  /** Pause between two requests of a connection. */
  readonly pauseMs: number;
}

/** Floods the api from its own process. Resolves with the number of answers by status. */
export async function flood(
  apiUrl: string,
  options: FloodOptions,
): Promise<Readonly<Record<string, number>>> {
  const { kind, target, connections, seconds, patienceMs, pauseMs } = options;
  const args = [new URL(apiUrl).port, kind, target, connections, seconds, patienceMs, pauseMs];
  const program = await startProgram('load/flood.ts', { args });
  program.process.send('go');
  const [statuses] = (await once(program.process, 'message')) as [Record<string, number>];
  return statuses;
}
