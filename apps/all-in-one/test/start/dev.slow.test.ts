import { once } from 'node:events';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processNames } from '@notify/core';
import { descendantsOf, freePort, type RunningService, startService } from '@notify/testkit';
import { keepFresh } from '../../src/dev/keep-fresh.ts';
import type { KeptProcess } from '../../src/one-process.ts';
import { until } from '../installation.ts';
import { isAlive, untilGone } from './processes.ts';

// Every process starts three times.

const root = path.resolve(import.meta.dirname, '../../../..');

describe('npm run dev', () => {
  let service: RunningService;

  const startDev = () => startService({ args: ['dev', '--inspect-port=0'] });
  const below = () => descendantsOf(service.process.pid ?? 0);

  /** The id of each process of ours, by name. */
  async function pids(): Promise<Record<string, number>> {
    const named = below().map(({ pid, command }) => [
      /apps\/([^/]+)\/src\/main\.ts$/.exec(command)?.[1],
      pid,
    ]);
    return Object.fromEntries(named.filter(([name]) => name !== undefined));
  }

  /** Saves a file as it is. Its times stay, so that nothing else sees a difference. */
  async function save(file: string): Promise<void> {
    const { atime, mtime } = await stat(path.join(root, file));
    await utimes(path.join(root, file), atime, mtime);
  }

  beforeAll(async () => {
    service = await startDev();
  });
  afterAll(() => service?.stop());

  test('a save restarts exactly the processes that loaded the file', async () => {
    const before = await pids();
    const names = Object.keys(before).toSorted();
    expect(names).toEqual(processNames.toSorted());

    const turns = () => service.lines.filter((line) => /webhook-worker +taking turns/.test(line)).length;
    await save('apps/webhook-worker/src/main.ts');
    await until(() => turns() === 2);
    const after = await pids();
    expect(after).toEqual({ ...before, 'webhook-worker': expect.any(Number) });
    expect(after['webhook-worker']).not.toBe(before['webhook-worker']);

    await save('packages/core/src/index.ts');
    await until(async () => {
      const last = await pids();
      return names.every((name) => last[name] !== undefined && last[name] !== after[name]);
    });
    await until(async () => (await fetch(`${service.url}/readyz`).catch(() => null))?.status === 200);
  });

  test('each process has an inspector at the address that the start tells', async () => {
    const told = service.lines.flatMap((line) => /its inspector listens on (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(told).size).toBe(4);
    for (const address of told) {
      const version = await (await fetch(`http://${address}/json/version`)).json();
      expect(version).toMatchObject({ Browser: `node.js/${process.version}` });
    }
  });

  test('a Ctrl-C leaves no process, and neither does a kill', async () => {
    const processes = below();
    const exit = once(service.process, 'exit');
    service.process.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(processes.filter(isAlive)).toEqual([]);

    service = await startDev();
    const killed = below();
    service.process.kill('SIGKILL');
    await untilGone(killed);
  });
});

describe('a process under edit', () => {
  const lines: string[] = [];
  let folder: string;
  let port: number;
  let kept: KeptProcess | null = null;

  const program = (answer: string) => `export const answer: string = ${answer};\n`;
  const part = () => path.join(folder, 'part.ts');
  const answer = async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => null))?.text();
  const told = (text: string) => lines.filter((line) => line.includes(text)).length;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'notify-dev-'));
    port = await freePort();
    await writeFile(part(), program(''));
    await writeFile(
      path.join(folder, 'main.ts'),
      `import { createServer } from 'node:http';
      import { answer } from './part.ts';
      const server = createServer((_request, response) => response.end(answer)).listen(${port}, '127.0.0.1');
      process.once('SIGTERM', () =>
        server.close(() => {
          console.log('drained');
          process.exit(0);
        }),
      );`,
    );
  });
  afterAll(async () => {
    await kept?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('waits for the next save after a syntax error, at its first start too, and drains at each save', async () => {
    const output = {
      say: (line: string) => lines.push(line),
      onLine: (name: string, line: string) => lines.push(`${name}: ${line}`),
      ready: () => undefined,
      fail: () => undefined,
    };
    const readyUrl = `http://127.0.0.1:${port}`;
    const plan = { name: 'api', main: path.join(folder, 'main.ts'), env: process.env, readyUrl } as const;
    kept = keepFresh(plan, { output, interrupted: new AbortController().signal }, await freePort());
    const waits = 'api ended (exit code 1); it starts again when one of its files is saved';
    await until(() => told(waits) === 1);

    await writeFile(part(), program(`'first'`));
    await kept.ready;
    expect(await answer()).toBe('first');

    await writeFile(part(), program(`'second`));
    await until(() => told(waits) === 2);
    await until(() => told('drained') === 1);

    await writeFile(part(), program(`'third'`));
    await until(async () => (await answer()) === 'third');
    await kept.stop();
    await until(() => told('drained') === 2);
    expect(told(waits)).toBe(2);
  });
});
