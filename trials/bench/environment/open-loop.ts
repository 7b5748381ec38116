import { once } from 'node:events';
import { startProgram } from './program.ts';
import type { BenchService } from './service.ts';

/** One tenant's part of a load. */
export interface OfferedStream {
  /** A word without spaces, in the text of each message. */
  readonly name: string;
  readonly perSecond: number;
  readonly key: string;
}

/** What became of it. */
export interface AnsweredStream {
  readonly name: string;
  readonly offered: number;
  /** Sends for which it had no free connection among its 500. */
  readonly unsent: number;
  /** Answers by status; 0 for none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Numbers of the accepted sends. The text of one is `<prefix> <name> <number>`. */
  readonly accepted: readonly number[];
  /** From the time at which an accepted send was due to its 202, in ms. */
  readonly tookMs: readonly number[];
  /** Numbers of the sends that got no 202. Number n was due n / perSecond after the start. */
  readonly refused: readonly number[];
  /** How long their answers took, in ms. */
  readonly refusedMs: readonly number[];
}

/** Offers sends at fixed rates, whatever the answers. */
export async function offer(
  { apiUrl }: Pick<BenchService, 'apiUrl'>,
  streams: readonly OfferedStream[],
  { seconds, prefix }: { readonly seconds: number; readonly prefix: string },
): Promise<readonly AnsweredStream[]> {
  const parts = streams.map(({ name, perSecond, key }) => `${name}=${perSecond}=${key}`);
  const args = [new URL(apiUrl).port, seconds, prefix, ...parts];
  const program = await startProgram('load/open-loop.ts', { args });
  program.process.send('go');
  const [told] = (await once(program.process, 'message')) as [readonly AnsweredStream[]];
  return told;
}
