import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly err?: { readonly message: string };
  readonly origin?: string;
}

/** A real process whose log lines can be waited for. */
interface Scenario {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  until(msg: string): Promise<void>;
  exitCode(): Promise<number | null>;
}

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(...args: string[]): Scenario {
  const program = path.join(import.meta.dirname, 'shutdown-process.ts');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const lines: Line[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(JSON.parse(line) as Line));
  const closed = Promise.all([once(child, 'close'), once(output, 'close')]);
  return {
    child,
    lines,
    async until(msg) {
      while (!lines.some((line) => line.msg === msg)) await once(output, 'line');
    },
    async exitCode() {
      await closed;
      return child.exitCode;
    },
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops what is running once and exits with 0',
  async (signal) => {
    const scenario = start('good');
    await scenario.until('up');
    scenario.child.kill(signal);
    expect(await scenario.exitCode()).toBe(0);
    expect(scenario.lines.map((line) => line.msg)).toEqual([
      'up',
      'shutting down',
      'stop called',
      'shut down',
    ]);
  },
);

test('a Ctrl-C that npm passes on a second time is still one', async () => {
  const scenario = start('good');
  await scenario.until('up');
  scenario.child.kill('SIGINT');
  await scenario.until('shutting down');
  scenario.child.kill('SIGINT');
  expect(await scenario.exitCode()).toBe(0);
});

test('a second signal ends a shutdown that hangs', async () => {
  const scenario = start('hangs', '20000');
  await scenario.until('up');
  scenario.child.kill('SIGTERM');
  await scenario.until('shutting down');
  scenario.child.kill('SIGTERM');
  expect(await scenario.exitCode()).toBe(1);
  expect(scenario.lines.at(-1)).toMatchObject({ level: 'error', msg: 'second signal: exiting at once' });
});

test('a shutdown that takes longer than its deadline ends with 1', async () => {
  const scenario = start('hangs', '50');
  await scenario.until('up');
  scenario.child.kill('SIGTERM');
  expect(await scenario.exitCode()).toBe(1);
  expect(scenario.lines.at(-1)).toMatchObject({ level: 'error', msg: 'shutdown took too long: exiting' });
});

test('a shutdown that fails ends with 1 and says why', async () => {
  const scenario = start('rejects');
  await scenario.until('up');
  scenario.child.kill('SIGTERM');
  expect(await scenario.exitCode()).toBe(1);
  expect(scenario.lines.at(-1)).toMatchObject({
    msg: 'shutdown failed',
    err: { message: 'postgres://***@db is away' },
  });
});

test.each([
  ['throws', 'uncaughtException', 'thrown'],
  ['forgets', 'unhandledRejection', 'forgotten'],
])('a process that %s is logged and ends with 1', async (name, origin, message) => {
  const scenario = start(name);
  expect(await scenario.exitCode()).toBe(1);
  expect(scenario.lines.at(-1)).toMatchObject({ level: 'fatal', origin, err: { message } });
});
