import { spawnSync } from 'node:child_process';
import path from 'node:path';

const program = path.join(import.meta.dirname, 'main.ts');

test('an unknown package is an error that names the known ones', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'sdk', 'service'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe('unknown package "service"; one of sdk, cli, server\n');
});
