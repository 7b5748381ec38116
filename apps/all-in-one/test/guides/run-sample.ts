import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endWithUs, stopChild } from '@notify/testkit';
import { commandFor } from './languages.ts';

const packages = path.resolve(import.meta.dirname, '../../../../packages');

/** How a sample ended. */
export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A folder for samples, in which `@notify/sdk` and `notifyctl` are installed. */
export interface Workshop extends AsyncDisposable {
  /** Runs a sample to its end, with these variables and this standard input. */
  run(file: string, code: string, env: Variables, input?: string | Buffer): Promise<Ended>;
  /** Runs a sample until the test ends. `output` grows. */
  start(file: string, code: string, env: Variables, args?: readonly string[]): Promise<StartedSample>;
  /** A file that samples read or have written. */
  write(file: string, content: string): Promise<void>;
  read(file: string): Promise<Buffer>;
}

export interface StartedSample extends AsyncDisposable {
  readonly process: ChildProcess;
  output(): string;
  errors(): string;
}

export type Variables = Readonly<Record<string, string>>;

/** Makes the folder. Disposing removes it. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-guides-'));
  await mkdir(path.join(folder, 'node_modules/@notify'), { recursive: true });
  await symlink(path.join(packages, 'sdk'), path.join(folder, 'node_modules/@notify/sdk'));
  const notifyctl = `#!/bin/sh\nexec '${process.execPath}' '${packages}/cli/src/main.ts' "$@"\n`;
  await writeFile(path.join(folder, 'notifyctl'), notifyctl, { mode: 0o755 });
  return {
    async run(file, code, env, input = '') {
      await using sample = await startSample(folder, file, code, env);
      sample.process.stdin?.end(input);
      const [status] = (await once(sample.process, 'close')) as [number | null];
      return { status, output: sample.output(), errors: sample.errors() };
    },
    start: (file, code, env, args) => startSample(folder, file, code, env, args),
    write: (file, content) => writeFile(path.join(folder, file), content),
    read: (file) => readFile(path.join(folder, file)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function startSample(
  folder: string,
  file: string,
  code: string,
  env: Variables,
  args: readonly string[] = [],
): Promise<StartedSample> {
  await writeFile(path.join(folder, file), code);
  const [command, ...rest] = commandFor(file);
  const { PATH = '', HOME = tmpdir() } = process.env;
  const own = { PATH: `${folder}:${PATH}`, HOME, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  const child = spawn(command, [...rest, ...args, file], { cwd: folder, env: { ...own, ...env } });
  endWithUs(child);
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  child.stdin.on('error', () => undefined); // the sample does not read it
  await once(child, 'spawn');
  return {
    process: child,
    output: () => written.out,
    errors: () => written.err,
    [Symbol.asyncDispose]: () => stopChild(child),
  };
}
