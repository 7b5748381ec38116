import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

async function run(reason: string): Promise<{ code: number | null; said: string }> {
  const program = path.join(import.meta.dirname, 'failing-process.ts');
  const child = spawn(process.execPath, [program, reason], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said };
}

test('a process that lacks settings names each of them and no secret', async () => {
  const { code, said } = await run('settings');
  expect(code).toBe(1);
  expect(said).toMatch(/^failing: invalid settings:\n {2}DATABASE_URL is not set; .*\n {2}MASTER_KEYS: /);
  expect(said).not.toContain('hidden');
  expect(said).not.toContain('\n    at ');
});

test('a port in use is one line', async () => {
  const { code, said } = await run('port');
  expect(code).toBe(1);
  expect(said).toMatch(/^failing: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+\n$/);
});

test('a bug is told with its stack, but without the secret in its message', async () => {
  const { code, said } = await run('bug');
  expect(code).toBe(1);
  expect(said).toMatch(/^failing: TypeError: postgres:\/\/\*\*\*@db is not a function\n {4}at /);
});
