import { isUnderNpm } from './config.ts';
import { help } from './run.ts';

test.each([
  [
    'npm from the repository',
    { npm_lifecycle_event: 'notify', npm_package_name: 'notify' },
    'npm run notify --',
  ],
  ['npx', { npm_lifecycle_event: 'npx', npm_package_name: 'orders' }, 'notify'],
  ['a shell', {}, 'notify'],
])('the command lines of the help are right under %s', (_, env, program) => {
  const [first = '', ...rest] = help(isUnderNpm(env)).split('\n');
  expect(first).toBe(`${program} <command> [--json]`);
  expect(rest).toContain(`  ${program} set-plan ada@example.com standard`);
});
