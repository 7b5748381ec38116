import { flag, rateOf, readValues, seedOf, text } from '../../kit/options.ts';

export interface UpgradeOptions {
  readonly seed: number;
  /** Null: the one of `previous.txt`. */
  readonly previous: string | null;
  readonly messagesPerSecond: number;
  /** How long each version runs undisturbed, in ms. */
  readonly soakMs: number;
  /** How long another session holds a lock on `messages` while migrations run, in ms. */
  readonly lockMs: number;
  /** Whether the contract suites of both versions run at the end. */
  readonly contract: boolean;
  readonly keepLogs: boolean;
}

export const usage = `npm run upgrade-drill [-- options]
  --short              a minute: a lock of 5 s, short pauses, no contract suites
  --previous <commit>  the version to come from (default: trials/drills/upgrade/previous.txt)
  --no-contract        leaves out the contract suites of both versions
  --rate <n>           messages a second (default 50; with --short 30)
  --seed <n>           repeats the random choices of an earlier run
  --keep-logs          keeps the processes' logs
  --help               prints this text`;

/** Reads the command line. Throws, in one line, for a wrong argument. */
export function readOptions(args: readonly string[]): UpgradeOptions {
  const values = readValues(args, {
    short: flag,
    previous: text,
    'no-contract': flag,
    rate: text,
    seed: text,
    'keep-logs': flag,
  });
  const { short } = values;
  return {
    seed: seedOf(values),
    previous: values.previous ?? null,
    messagesPerSecond: rateOf(values, short ? 30 : 50),
    soakMs: short ? 4_000 : 20_000,
    lockMs: short ? 5_000 : 30_000,
    contract: !short && !values['no-contract'],
    keepLogs: values['keep-logs'],
  };
}
