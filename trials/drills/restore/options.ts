import { flag, numberOf, rateOf, readValues, seedOf, text } from '../../kit/options.ts';

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

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): RestoreOptions {
  const values = readValues(args, { short: flag, seed: text, rate: text, lost: text });
  const { short } = values;
  return {
    seed: seedOf(values),
    messagesPerSecond: rateOf(values, 70),
    beforeMs: short ? 3_000 : 20_000,
    lostMs: numberOf(values, 'lost', short ? 3 : 20) * 1_000,
    heldMs: short ? 3_000 : 10_000,
    afterMs: short ? 2_000 : 10_000,
  };
}
