import type { AlertFault } from './fault.ts';
import { alertFaults } from './faults.ts';
import { named, rateOf, readValues, text, texts } from '../../kit/options.ts';

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

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): AlertOptions {
  const values = readValues(args, { fault: texts, rate: text });
  return {
    faults: values.fault.length === 0 ? alertFaults : values.fault.map(named('fault', alertFaults)),
    messagesPerSecond: rateOf(values, 10),
    divisor: 60,
  };
}

/** The names of all faults. */
export function list(): readonly string[] {
  return alertFaults.map(({ name }) => name);
}
