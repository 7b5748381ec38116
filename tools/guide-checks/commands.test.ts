import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const text = globSync('{README.md,docs/guides/*.md}', { cwd: root })
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n');

/** Every command line of the guides, without the program: "listen --forward-to http://…". */
const lines = [...text.matchAll(/(?:notifyctl|npx @notify\/cli) ([a-z][^`\n]*)/g)].map(
  ([, line = '']) => line,
);

test('the guides name commands', () => expect(lines.length).toBeGreaterThan(5));

test.each([...new Set(lines)])('notifyctl %s is a command, with these options', (line) => {
  const words = line.split(' ');
  const first = words.findIndex((word) => word.startsWith('-'));
  const command = words.slice(0, first < 0 ? words.length : first);
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/src/main.ts'), ...command, '--help'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  const [, path = ''] = /^Usage: notifyctl ([a-z-]+(?: [a-z-]+)*)/.exec(stdout) ?? [];
  expect(path).not.toBe('');
  expect(`${command.join(' ')} `).toMatch(new RegExp(`^${path} `));
  const options = words.filter((word) => word.startsWith('--'));
  expect(options.filter((option) => !stdout.includes(`${option} `))).toEqual([]);
});
