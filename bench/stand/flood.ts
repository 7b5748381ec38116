import { once } from 'node:events';
import type { Hostile } from '../load/hostile-requests.ts';
import { startProgram } from './program.ts';

/** What is sent, and how long. */
export interface FloodOptions {
  readonly kind: Hostile;
  /** The path of a callback, a key, or what stands behind the @ of email addresses. */
  readonly target: string;
  readonly connections: number;
  readonly seconds: number;
  /** After how long a request without an answer is given up. */
  readonly patienceMs: number;
  /** Between two requests of a connection. */
  readonly pauseMs: number;
}

/** Floods the api from a process of its own. Answers how many were answered with which status. */
export async function flood(
  apiUrl: string,
  options: FloodOptions,
): Promise<Readonly<Record<string, number>>> {
  const { kind, target, connections, seconds, patienceMs, pauseMs } = options;
  const args = [new URL(apiUrl).port, kind, target, connections, seconds, patienceMs, pauseMs];
  const program = await startProgram('load/flood.ts', { args, logFile: '/dev/null' });
  program.process.send('go');
  const [statuses] = (await once(program.process, 'message')) as [Record<string, number>];
  return statuses;
}
