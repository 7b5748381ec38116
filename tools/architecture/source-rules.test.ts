import { browserTestsWait } from './source-rules.ts';
import type { Tree } from './tree.ts';

const dashboard = { name: '@notify/dashboard', dir: 'apps/dashboard', dependencies: [], devDependencies: [] };

/** What the rule finds in a test of the browser with this line. */
function found(text: string): string[] {
  const file = { path: 'apps/dashboard/e2e/a.test.ts', isTest: true, text, imports: [] };
  const packages = [{ ...dashboard, files: [file] }];
  return browserTestsWait({ root: { ...dashboard, dir: '', files: [] }, packages } satisfies Tree);
}

test.each([
  "await page.getByLabel('Name').fill('Ada');",
  'await page.getByLabel(`Remove ${name}`).click();',
  'await form.getByLabel(label).check();',
  "await form.getByLabel('To', { exact: false }).first().fill('22:00');",
])('a label that may be the beginning of another is found: %s', (line) => {
  expect(found(line)).toEqual([expect.stringContaining('getByLabel needs { exact: true }')]);
});

test.each(['expect(page.url()).toBe(filtered);', "expect(new URL(mine.url()).pathname).toBe('/keys');"])(
  'an address that is not waited for is found: %s',
  (line) => {
    expect(found(line)).toEqual([expect.stringContaining('use waitForURL')]);
  },
);

test.each([
  "await page.getByLabel('Name', { exact: true }).fill('Ada');",
  'await page.getByLabel(/^Name$/).click();',
  "await page.waitForURL('**/keys');",
])('what waits is not: %s', (line) => {
  expect(found(line)).toEqual([]);
});
