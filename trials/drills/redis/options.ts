import { parseArgs } from 'node:util';
import type { RedisTopology } from '@notify/testkit';
import { numberOf } from '../../kit/program.ts';
import { type Harm, harms } from './breaks.ts';

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

/** Parses the command line. Returns the text to print where one was asked for. Throws, in one line, for a wrong one. */
export function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      topology: { type: 'string' },
      how: { type: 'string', multiple: true, default: [] },
      away: { type: 'string', default: '16' },
      rate: { type: 'string', default: '20' },
      seed: { type: 'string' },
      'keep-logs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  if (values.topology !== 'sentinel' && values.topology !== 'cluster')
    throw new Error('--topology must be sentinel or cluster');
  return {
    topology: values.topology,
    harms: values.how.length === 0 ? harms : values.how.map(harmNamed),
    seed: numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31))),
    messagesPerSecond: numberOf('rate', values.rate),
    awayMs: 1_000 * numberOf('away', values.away),
    keepLogs: values['keep-logs'],
  };
}

function harmNamed(name: string): Harm {
  const found = harms.find((harm) => harm.replace(' ', '-') === name);
  if (found === undefined) throw new Error('--how must be killed, paused or cut-off');
  return found;
}
