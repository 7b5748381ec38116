import type { Fault } from '../kit/faults/fault.ts';
import { allFaults, fullRun, queueRun, shortRun } from './faults/list.ts';
import { flag, named, numberOf, rateOf, readValues, seedOf, text, texts } from '../kit/options.ts';

export interface Options {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly messagesPerSecond: number;
  /** Messages sent during each fault, at least. */
  readonly messagesPerFault: number;
  /** Whether the service recovers after each fault, or only after the last. */
  readonly restsBetween: boolean;
  /** False where the machine does other work, too: all must be sent and posted again, but the time is only printed. */
  readonly isTimed: boolean;
  readonly keepLogs: boolean;
  readonly queueIn: 'redis' | 'postgres';
}

export const usage = `npm run chaos [-- options]
  --short          runs the faults of CI without pauses, in a few minutes
  --untimed        prints how long recoveries take and does not judge it, for a machine that does other work, too
  --fault <name>   this fault alone; repeat it for several
  --help           prints this text
  --list           lists the names of all faults
  --seed <n>       repeats the random choices of an earlier run
  --rate <n>       messages a second (default 70)
  --messages <n>   messages during each fault, at least (default 760; with --short 250)
  --queue <where>  keeps the turns in redis (default) or postgres; then it runs the faults of the queue alone
  --keep-logs      keeps the processes' logs`;

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): Options {
  const values = readValues(args, {
    short: flag,
    untimed: flag,
    fault: texts,
    seed: text,
    rate: text,
    messages: text,
    queue: text,
    'keep-logs': flag,
  });
  const queueIn = placeNamed(values.queue ?? 'redis');
  const planned = queueIn === 'postgres' ? queueRun : values.short ? shortRun : fullRun;
  return {
    seed: seedOf(values),
    faults: values.fault.length === 0 ? planned : values.fault.map(named('fault', allFaults)),
    messagesPerSecond: rateOf(values, 70),
    messagesPerFault: numberOf(values, 'messages', values.short ? 250 : 760),
    restsBetween: !values.short,
    isTimed: !values.untimed,
    keepLogs: values['keep-logs'],
    queueIn,
  };
}

/** The names of all faults. */
export function list(): readonly string[] {
  return [...new Set(allFaults.map(({ name }) => name))];
}

function placeNamed(name: string): 'redis' | 'postgres' {
  if (name === 'redis' || name === 'postgres') return name;
  throw new Error(`--queue is redis or postgres, not "${name}"`);
}
