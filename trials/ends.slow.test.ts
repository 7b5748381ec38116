import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf, type ListedProcess, listProcesses } from '@notify/testkit/process-list';
import { testWith } from '@notify/testkit/programs';

// Each of these starts a Redis.
const test = testWith('redis-server');
const root = path.resolve(import.meta.dirname, '..');
const started: ListedProcess[] = [];

/** A process that outlives its test is a fault of the program under test; it must not disturb the next test. */
afterEach(() => {
  for (const { pid } of alive(started)) process.kill(pid, 'SIGKILL');
  started.splice(0);
});

/** The processes that still run. A zombie counts as ended. */
function alive(some: readonly ListedProcess[]): ListedProcess[] {
  const now = new Map(listProcesses().map((one) => [one.pid, one.command]));
  return some.filter(({ pid, command }) => now.get(pid) === command);
}

/** Waits until the program has started each of these at least once. Returns all its descendants. */
async function upTo(child: ChildProcess, wanted: readonly string[]): Promise<readonly ListedProcess[]> {
  child.stdout?.resume();
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    const running = descendantsOf(child.pid!);
    if (wanted.every((word) => running.some(({ command }) => command.includes(word)))) {
      started.push(...running);
      return running;
    }
    await wait(100);
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** The processes that still run after a minute. */
async function left(some: readonly ListedProcess[]): Promise<readonly ListedProcess[]> {
  for (let looks = 600; looks > 0 && alive(some).length > 0; looks -= 1) await wait(100);
  return alive(some);
}

const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });

const servers = ['/postgres', 'redis-server', 'postgres: '];
const chaos = [
  ...servers,
  'http-sms/main',
  'twilio/main',
  'receiver-main',
  'collector-main',
  'api/src',
  'webhook-worker/src',
];
const bench = [...servers, 'peers/provider.ts', 'api/src', 'dispatch-worker/src'];
const fault = ['--fault', 'api killed', '--messages', '100000'];

test('chaos leaves no process behind when it is killed', async () => {
  const child = run(process.execPath, ['trials/chaos/main.ts', ...fault]);
  const running = await upTo(child, chaos);
  await killed(child);
  expect(await left(running)).toEqual([]);
});

test('chaos leaves no suspended process behind when it is killed', async () => {
  const child = run(process.execPath, ['trials/chaos/main.ts', ...fault]);
  const running = await upTo(child, chaos);
  const stopped = running.filter(({ command }) =>
    /^(postgres|redis-server|\S*node|\/\S*\/postgres)\b/.test(command),
  );
  expect(stopped.length).toBeGreaterThan(10);
  for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
  await killed(child);
  expect(await left(running)).toEqual([]);
});

test('bench leaves no process behind when it is killed', async () => {
  const child = run(process.execPath, ['trials/bench/main.ts', 'neighbours', '--quick']);
  const running = await upTo(child, bench);
  await killed(child);
  expect(await left(running)).toEqual([]);
});

test('chaos leaves no process behind when the npm that runs it is killed', async () => {
  const child = run('npm', ['run', 'chaos', '--', ...fault]);
  const running = await upTo(child, chaos);
  await killed(child);
  expect(await left(running)).toEqual([]);
});
