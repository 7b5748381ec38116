import { parseArgs } from 'node:util';
import { numberOf } from '../../kit/program.ts';

export interface RestoreOptions {
  readonly seed: number;
  readonly messagesPerSecond: number;
  /** How long the load runs before the restore point, in the lost time, while sends are held, and after their release, in ms. */
  readonly beforeMs: number;
  readonly lostMs: number;
  readonly heldMs: number;
  readonly afterMs: number;
}

export const usage = `npm run restore-drill [-- options]
  --short       a run of under a minute
  --seed <n>    repeats the random choices of an earlier run
  --rate <n>    messages a second (default 70)
  --lost <s>    seconds between the restore point and the end of the old cluster (default 20; with --short 3)
  --help        prints this text`;

/**
 * Parses the command line. Returns the text to print where one was asked for instead of a run. Throws, in one line,
 * for a wrong argument.
 */
export function readOptions(args: readonly string[]): RestoreOptions | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string', default: '70' },
      lost: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  const isShort = values.short;
  return {
    seed: numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31))),
    messagesPerSecond: numberOf('rate', values.rate),
    beforeMs: isShort ? 3_000 : 20_000,
    lostMs: numberOf('lost', values.lost ?? (isShort ? '3' : '20')) * 1_000,
    heldMs: isShort ? 3_000 : 10_000,
    afterMs: isShort ? 2_000 : 10_000,
  };
}
