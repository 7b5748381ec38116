import { parseArgs } from 'node:util';
import type { AlertFault } from './fault.ts';
import { alertFaults } from './faults.ts';

export interface AlertOptions {
  readonly faults: readonly AlertFault[];
  readonly messagesPerSecond: number;
  /** What the windows of the rules are divided by. */
  readonly divisor: number;
}

export const usage = `npm run alert-drill [-- options]
  --fault <name>   this fault alone; repeat it for several
  --list           lists the names of all faults
  --rate <n>       messages a second (default 10)
  --help           prints this text`;

/**
 * Parses the command line. Returns the text to print where one was asked for instead of a run. Throws, in one line,
 * for a wrong argument.
 */
export function readOptions(args: readonly string[]): AlertOptions | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fault: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      rate: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  if (values.list) return alertFaults.map(({ name }) => name).join('\n');
  const messagesPerSecond = Number(values.rate);
  if (!(messagesPerSecond > 0)) throw new Error('--rate must be a number above 0');
  return {
    faults: values.fault.length === 0 ? alertFaults : values.fault.map(faultNamed),
    messagesPerSecond,
    divisor: 60,
  };
}

function faultNamed(name: string): AlertFault {
  const found = alertFaults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault "${name}": see --list`);
  return found;
}
