/** A trial: a program that runs the service and measures, breaks or judges it. */
export interface Program<Options> {
  /** What `--help` prints. */
  readonly usage: string;
  /** Reads all other arguments. Throws, in one line, for a wrong one. */
  readonly readOptions: (args: readonly string[]) => Options;
  /** The names that `--list` prints, one a line. */
  readonly list?: () => readonly string[];
  /** Resolves with true when nothing was found. */
  readonly run: (options: Options) => Promise<boolean>;
}

/** Runs it with the arguments of the command line. The exit code is 1 when it found something, 2 for a wrong argument. */
export async function runProgram<Options>({
  usage,
  readOptions,
  list,
  run,
}: Program<Options>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return console.log(usage);
  if (list !== undefined && args.includes('--list')) return console.log(list().join('\n'));
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${String(error)}\n\n${usage}`);
    process.exit(2);
  }
  if (!(await run(options))) process.exitCode = 1;
}

/** Rejects at Ctrl-C or SIGTERM, so that a run ends what it has started. */
export function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}
