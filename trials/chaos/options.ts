import { parseArgs } from 'node:util';
import type { Fault } from '../kit/faults/fault.ts';
import { allFaults, fullRun, queueRun, shortRun } from './faults/list.ts';
import { numberOf } from '../kit/program.ts';

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

/**
 * Parses the command line. Returns the text to print where one was asked for instead of a run. Throws, in one line,
 * for a wrong argument.
 */
export function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      untimed: { type: 'boolean', default: false },
      fault: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string', default: '70' },
      messages: { type: 'string' },
      queue: { type: 'string', default: 'redis' },
      'keep-logs': { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  if (values.list) return [...new Set(allFaults.map((fault) => fault.name))].join('\n');
  const queueIn = placeNamed(values.queue);
  const planned = queueIn === 'postgres' ? queueRun : values.short ? shortRun : fullRun;
  return {
    seed: numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31))),
    faults: values.fault.length === 0 ? planned : values.fault.map(faultNamed),
    messagesPerSecond: numberOf('rate', values.rate),
    messagesPerFault: numberOf('messages', values.messages ?? (values.short ? '250' : '760')),
    restsBetween: !values.short,
    isTimed: !values.untimed,
    keepLogs: values['keep-logs'],
    queueIn,
  };
}

function placeNamed(name: string): 'redis' | 'postgres' {
  if (name === 'redis' || name === 'postgres') return name;
  throw new Error(`--queue is redis or postgres, not "${name}"`);
}

function faultNamed(name: string): Fault {
  const found = allFaults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault "${name}": see --list`);
  return found;
}
