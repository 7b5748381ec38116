import { type Way, ways } from './ways.ts';
import { flag, named, numberOf, rateOf, readValues, seedOf, text, texts } from '../../kit/options.ts';

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

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): DrillOptions {
  const values = readValues(args, {
    rounds: text,
    short: flag,
    untimed: flag,
    way: texts,
    seed: text,
    rate: text,
    'keep-logs': flag,
  });
  return {
    rounds: numberOf(values, 'rounds', values.short ? 2 : 50),
    ways: values.way.length === 0 ? ways : values.way.map(named('end of a primary', ways)),
    seed: seedOf(values),
    messagesPerSecond: rateOf(values, 40),
    isTimed: !values.untimed,
    keepLogs: values['keep-logs'],
  };
}

/** The names of all ends of a primary. */
export function list(): readonly string[] {
  return ways.map(({ name }) => name);
}
