import { startProgram } from './endurance/program.ts';
import { startHere } from './run-here.ts';

/** What `listen --json` prints. */
export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A `listen --json`. */
export interface Listening {
  /** What it has printed so far. */
  readonly lines: () => Line[];
  /** Any signal is the same for one in the test's process: it ends as after the first. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts it in this process. */
export function listenHere(args: readonly string[], env: Environment): Listening {
  const { stdout, interrupt, ended } = startHere(['listen', '--json', ...args], { env });
  return { lines: () => parsed(stdout().split('\n').slice(0, -1)), signal: interrupt, ended };
}

/** Starts it in its own process. */
export function listenInProcess(args: readonly string[], env: Environment): Listening {
  const { process, output, ended } = startProgram(['listen', '--json', ...args], env);
  return { lines: () => parsed(output), signal: (name) => void process.kill(name), ended };
}

/** The first line that satisfies the condition, as soon as there is one. Rejects if the program ends before. */
export async function lineOf({ lines, ended }: Listening, isIt: (line: Line) => boolean): Promise<Line> {
  let code: unknown = null;
  void ended.then((it) => (code = it));
  for (;;) {
    const hasEnded = code !== null;
    const found = lines().find(isIt);
    if (found !== undefined) return found;
    if (hasEnded) throw new Error(`ended with ${String(code)}: ${JSON.stringify(lines())}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const parsed = (lines: readonly string[]): Line[] => lines.map((line) => JSON.parse(line) as Line);
