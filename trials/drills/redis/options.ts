import type { RedisTopology } from '@notify/testkit';
import { type Harm, harms } from './breaks.ts';
import { flag, numberOf, rateOf, readValues, seedOf, text, texts } from '../../kit/options.ts';

export interface Options {
  readonly topology: RedisTopology;
  readonly harms: readonly Harm[];
  readonly seed: number;
  readonly messagesPerSecond: number;
  readonly awayMs: number;
  readonly keepLogs: boolean;
}

export const usage = `npm run redis-drill -- --topology <sentinel|cluster> [options]
  --how <killed|paused|cut-off>   only this way; repeat it for several
  --away <n>       seconds for which each node is away (default 16)
  --rate <n>       messages a second (default 20)
  --seed <n>       repeats the random choices of an earlier run
  --keep-logs      keeps the processes' logs
  --help           prints this text`;

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): Options {
  const values = readValues(args, {
    topology: text,
    how: texts,
    away: text,
    rate: text,
    seed: text,
    'keep-logs': flag,
  });
  if (values.topology !== 'sentinel' && values.topology !== 'cluster')
    throw new Error('--topology must be sentinel or cluster');
  return {
    topology: values.topology,
    harms: values.how.length === 0 ? harms : values.how.map(harmNamed),
    seed: seedOf(values),
    messagesPerSecond: rateOf(values, 20),
    awayMs: 1_000 * numberOf(values, 'away', 16),
    keepLogs: values['keep-logs'],
  };
}

function harmNamed(name: string): Harm {
  const found = harms.find((harm) => harm.replace(' ', '-') === name);
  if (found === undefined) throw new Error('--how must be killed, paused or cut-off');
  return found;
}
