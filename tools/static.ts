import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/*
 * `npm run static`: everything that only reads the sources, side by side. The result of a step is printed as soon as it ends,
 * with the output of one that fails.
 */

/** The scripts of package.json whose commands are run. The longest comes first, and what fails fast next. */
const scripts = ['format', 'architecture', 'lint', 'typecheck', 'generated'];

const root = path.resolve(import.meta.dirname, '..');

/**
 * Runs shell commands in the root, at most `atOnce` at a time, in their order. Resolves with those that failed when all
 * have ended. A command that cannot be run has failed, too.
 */
export async function runSteps(
  commands: readonly string[],
  atOnce: number,
  print: (text: string) => void,
): Promise<string[]> {
  const failed: string[] = [];
  const waiting = [...commands];
  const runNext = async (): Promise<void> => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const { ok, output, tookMs } = await run(command);
      if (!ok) failed.push(command);
      print(
        `${ok ? 'ok    ' : 'FAILED'} ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${command}${ok ? '' : `\n${output.trimEnd()}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  return failed;
}

async function run(command: string): Promise<{ ok: boolean; output: string; tookMs: number }> {
  const beganAt = performance.now();
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn('/bin/sh', ['-c', `{ ${command}; } 2>&1`], {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  return { ok: (await ended) === 0, output, tookMs: performance.now() - beganAt };
}

/** The commands of a script of package.json, which are joined by `&&` there. */
async function commandsOf(script: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const commands = manifest.scripts[script];
  if (commands === undefined) throw new Error(`package.json has no script ${script}`);
  return commands.split(' && ');
}

if (import.meta.main) {
  const commands = (await Promise.all(scripts.map(commandsOf))).flat();
  const failed = await runSteps(commands, availableParallelism(), (line) => console.log(line));
  console.log(failed.length === 0 ? `All ${commands.length} checks passed.` : `Failed: ${failed.join('; ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
