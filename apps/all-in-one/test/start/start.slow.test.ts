import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processNames } from '@notify/core';
import { descendantsOf, freePort, type RunningService, scrape, startService } from '@notify/testkit';
import { isAlive, untilGone } from './processes.ts';

// Each starts all processes, some of them twice.

const main = path.resolve(import.meta.dirname, '../../src/main.ts');
let dataDir: string;

async function makeDataDir(): Promise<void> {
  dataDir = await mkdtemp(path.join(tmpdir(), 'notify-start-'));
  await chmod(dataDir, 0o755); // as root, Postgres runs as another user
}

const removeDataDir = () => rm(dataDir, { recursive: true, force: true });

const start = (env: Record<string, string> = {}) =>
  startService({ env: { DATA_DIR: dataDir, BCRYPT_COST: '4', ...env } });

/** Starts what must not come up; what it wrote, and its exit code. */
async function failing(env: Record<string, string> = {}): Promise<{ code: number | null; error: string }> {
  const settings = { DATA_DIR: dataDir, PORT: '0', DATABASE_URL: '', REDIS_URL: '', ...env };
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...settings } });
  let error = '';
  child.stderr.on('data', (chunk) => (error += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, error: error.trimEnd() };
}

async function register({ url }: RunningService, email: string): Promise<number> {
  const response = await fetch(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email, password: 'correct horse' }),
  });
  return response.status;
}

async function endedWith(child: ChildProcess, signals: readonly NodeJS.Signals[]): Promise<number | null> {
  const exit = once(child, 'exit');
  for (const signal of signals) child.kill(signal);
  const [code] = await exit;
  return code;
}

describe('npm start', () => {
  /** A start costs some seconds: what a test leaves running serves the next. */
  let left: RunningService | null = null;
  const running = async () => (left ??= await start({ HEALTH_PORT: String(healthPort) }));
  let healthPort: number;
  /** As root, Postgres runs as another user, who passes through it. */
  const closed = process.getuid?.() === 0 ? 0o710 : 0o700;
  const modeOfFolder = async () => (await stat(dataDir)).mode & 0o777;
  /** Ends what runs; its exit code, null when a signal ended it. */
  async function end({ process }: RunningService, signals: readonly NodeJS.Signals[]) {
    left = null;
    return endedWith(process, signals);
  }

  beforeAll(async () => {
    await makeDataDir();
    healthPort = await freePort();
  });
  afterAll(async () => {
    await left?.stop();
    await removeDataDir();
  });

  test('says ready once, answers, ends with 0 on Ctrl-C, which npm passes on a second time, and leaves no process and no lock', async () => {
    const first = await start();
    expect(first.lines.filter((line) => line.startsWith('ready '))).toEqual([`ready ${first.url}`]);
    expect(await register(first, 'kept@example.com')).toBe(200);
    expect(await modeOfFolder()).toBe(closed);
    const processes = descendantsOf(first.process.pid ?? 0);
    expect(processes.length).toBeGreaterThanOrEqual(4);
    expect(await end(first, ['SIGINT', 'SIGINT'])).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres-password', 'secrets.json']);
  });

  test('keeps its data to the next start, and closes a folder again that was open to other users', async () => {
    await chmod(dataDir, 0o755);
    expect(await register(await running(), 'kept@example.com')).toBe(409);
    expect(await register(await running(), 'other@example.com')).toBe(200);
    expect(await modeOfFolder()).toBe(closed);
  });

  test('serves metrics of each process on HEALTH_PORT and the ports after it', async () => {
    await running();
    for (const [at, process] of processNames.entries()) {
      const { sum } = await scrape(`http://127.0.0.1:${healthPort + at}`);
      expect([process, sum('notify_build_info', { process })]).toEqual([process, 1]);
    }
  });

  test('is told in one line, with exit code 1, when another one has the folder', async () => {
    await running();
    const failure = { code: 1, error: `another npm start is using ${dataDir}: stop it, or set DATA_DIR` };
    expect(await failing()).toEqual(failure);
  });

  test('starts a process that dies again, and says so', async () => {
    const service = await running();
    const worker = descendantsOf(service.process.pid ?? 0).find(({ command }) =>
      command.endsWith('dispatch-worker/src/main.ts'),
    );
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    const up = () => service.lines.filter((line) => /dispatch-worker +taking turns/.test(line)).length;
    while (up() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(service.lines).toContain('dispatch-worker ended unexpectedly (SIGKILL); restarting it in 0.5 s');
  });

  test('takes everything with it when it is killed, and the next start works', async () => {
    const service = await running();
    expect(await register(service, 'killed@example.com')).toBe(200);
    const processes = descendantsOf(service.process.pid ?? 0);
    await end(service, ['SIGKILL']);
    await untilGone(processes);
    expect(await register(await running(), 'killed@example.com')).toBe(409);
  });

  test('ends a Postgres that was left running without its keeper', async () => {
    const service = await running();
    const processes = descendantsOf(service.process.pid ?? 0);
    const keeper = processes.find(({ command }) => command.startsWith('/bin/sh'));
    process.kill(service.process.pid ?? 0, 'SIGSTOP'); // it would start Postgres again
    process.kill(keeper?.pid ?? 0, 'SIGKILL');
    await end(service, ['SIGKILL']);
    expect((await running()).lines).toContain('stopping a Postgres that an earlier start left running');
  });
});

describe('says in one line why it cannot start, and exits with 1', () => {
  beforeEach(makeDataDir);
  afterEach(removeDataDir);

  test('the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await failing({ PORT: String(port) })).toEqual({
      code: 1,
      error: `port ${port} is in use: stop the process that uses it, or set PORT`,
    });
    other.close();
  });

  test('a health port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await failing({ HEALTH_PORT: String(port) })).toEqual({
      code: 1,
      error: `port ${port} is in use: stop the process that uses it, or set HEALTH_PORT`,
    });
    other.close();
  });

  test('the folder cannot be written', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    expect(await failing({ DATA_DIR: path.join(file, 'data') })).toEqual({
      code: 1,
      error: `cannot write to ${file}/data (ENOTDIR): make it writable, or set DATA_DIR`,
    });
  });

  test('the database is half of one', async () => {
    const folder = path.join(dataDir, 'postgres');
    await mkdir(path.join(folder, 'base'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres-password'), 'x');
    expect(await failing()).toEqual({
      code: 1,
      error: `${folder} contains an incomplete database: move or delete it, then start again`,
    });
  });

  test('the database is of another Postgres', async () => {
    const folder = path.join(dataDir, 'postgres');
    await mkdir(path.join(folder, 'global'), { recursive: true });
    await writeFile(path.join(folder, 'global/pg_control'), '');
    await writeFile(path.join(folder, 'PG_VERSION'), '17\n');
    await writeFile(path.join(dataDir, 'postgres-password'), 'x');
    expect(await failing()).toEqual({
      code: 1,
      error: `the database in ${folder} was created by Postgres 17, but this is Postgres 18`,
    });
  });

  test('a database is given that is not there', async () => {
    const { code, error } = await failing({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/postgres' });
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(/^.*ECONNREFUSED.*$/) });
  });

  test('a setting is wrong', async () => {
    const { code, error } = await failing({ TRIAL_DAYS: 'soon' });
    expect(code).toBe(1);
    expect(error).toMatch('TRIAL_DAYS');
  });

  test('production mode is asked for without secrets', async () => {
    const { code, error } = await failing({ NOTIFY_MODE: 'production', MASTER_KEYS: '', JWT_SECRETS: '' });
    expect(code).toBe(1);
    expect(error).toMatch(/MASTER_KEYS is not set.*JWT_SECRETS is not set/s);
  });
});
