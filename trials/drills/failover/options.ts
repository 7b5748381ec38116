import { parseArgs } from 'node:util';
import { numberOf } from '../../kit/program.ts';
import { type Way, ways } from './ways.ts';

export interface DrillOptions {
  readonly rounds: number;
  readonly ways: readonly Way[];
  readonly seed: number;
  readonly messagesPerSecond: number;
  /** False where the machine does other work, too: sends must be answered again, but the time is only printed. */
  readonly isTimed: boolean;
  readonly keepLogs: boolean;
}

export const usage = `npm run failover-drill [-- options]
  --rounds <n>   promotions (default 50)
  --short        two promotions, with the ends of a primary after which both servers accept connections
  --untimed      prints the times and does not judge them, for a machine that does other work, too
  --way <name>   only this end of the primary; repeat it for several
  --list         lists the ends of a primary
  --seed <n>     repeats the random choices of an earlier run
  --rate <n>     messages a second (default 40)
  --keep-logs    keeps the processes' logs
  --help         prints this text`;

/**
 * Parses the command line. Returns the text to print where one was asked for instead of a run. Throws, in one line,
 * for a wrong argument.
 */
export function readOptions(args: readonly string[]): DrillOptions | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      short: { type: 'boolean', default: false },
      untimed: { type: 'boolean', default: false },
      way: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string', default: '40' },
      'keep-logs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  if (values.list) return ways.map(({ name }) => name).join('\n');
  return {
    rounds: numberOf('rounds', values.rounds ?? (values.short ? '2' : '50')),
    ways: values.way.length === 0 ? ways : values.way.map(wayNamed),
    seed: numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31))),
    messagesPerSecond: numberOf('rate', values.rate),
    isTimed: !values.untimed,
    keepLogs: values['keep-logs'],
  };
}

function wayNamed(name: string): Way {
  const found = ways.find((way) => way.name === name);
  if (found === undefined) throw new Error(`there is no end of a primary "${name}": see --list`);
  return found;
}
