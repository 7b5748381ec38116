import { Readable } from 'node:stream';
import { runCommandLine } from '../src/command-line.ts';

export interface Outcome {
  readonly code: number;
  /** What was written to standard output, without the last end of line. */
  readonly out: string;
  /** What was written to standard error, without the last end of line. */
  readonly error: string;
}

/** Runs a command line of the operator in this process: a separate process costs a second. */
export async function notify(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Readable = '',
): Promise<Outcome> {
  const out: string[] = [];
  const error: string[] = [];
  const code = await runCommandLine(args, {
    env: { ...process.env, ...env },
    input: typeof input === 'string' ? Readable.from([input]) : input,
    print: (text) => out.push(text),
    complain: (line) => error.push(line),
  });
  return { code, out: out.join('\n').trimEnd(), error: error.join('\n').trimEnd() };
}
