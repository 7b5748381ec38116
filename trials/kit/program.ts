/** A program that breaks a running service and judges it. */
export interface Program<Options> {
  readonly usage: string;
  /** Returns the text to print where one was asked for instead of a run. Throws, in one line, for a wrong argument. */
  readonly readOptions: (args: readonly string[]) => Options | string;
  /** Resolves with true when nothing was found. */
  readonly run: (options: Options) => Promise<boolean>;
}

/** Runs it with the arguments of the command line. The exit code is 1 when it found something, 2 for a wrong argument. */
export async function runProgram<Options>({ usage, readOptions, run }: Program<Options>): Promise<void> {
  let options: Options | string;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${String(error)}\n\n${usage}`);
    process.exit(2);
  }
  if (typeof options === 'string') console.log(options);
  else process.exitCode = (await run(options)) ? 0 : 1;
}

/** Rejects at Ctrl-C or SIGTERM, so that a run ends what it has started. */
export function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}

/** The value of an option that counts something. Throws, in one line, if it is no whole number. */
export function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`);
  return number;
}
