import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const own = 'packages/testkit/src/programs/programs.test.ts';

test('what needs a program that may be missing is named slow, so that `npm test` skips nothing', () => {
  const files = globSync('{apps,packages,tools,chaos,fuzz}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', 'apps/dashboard/e2e'],
  });
  const needing = files.filter((file) =>
    /\b(testWith|describeWith|hasPrograms|describeInBrowser)\(/.test(
      readFileSync(path.join(root, file), 'utf8'),
    ),
  );
  expect(needing.length).toBeGreaterThan(20);
  expect(needing.filter((file) => !file.endsWith('.slow.test.ts') && file !== own)).toEqual([]);
});
