import { isUnderNpm } from './config.ts';
import { commands, help, helpFor } from './run.ts';

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

test('an option that may be left out is in brackets', () => {
  const lines = help(false).split('\n');
  expect(lines).toContain('  tenant create --name … --email … [--password …] [--plan …]');
  expect(lines).toContain('  recount-usage --from … [--until …]');
  expect(lines).toContain('  migrate [--wait-seconds …] [--plan]');
  expect(lines).toContain('  log-level [levels] [--for …] [--process …]');
});

test('no line of the help is wider than 110 columns', () => {
  const lines = ['npm', ''].flatMap((npm) => help(npm !== '').split('\n'));
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
});

test.each(
  commands.map(
    ({ name, options, flags = {} }) => [name, [...Object.keys(options), ...Object.keys(flags)]] as const,
  ),
)('the help of %s describes each of its options', (name, options) => {
  const text = helpFor(name.split(' '), false);
  expect(text).toMatch(new RegExp(`^notify ${name}`));
  for (const option of options) expect(text).toMatch(new RegExp(`^  --${option}\\b.* {2}\\w`, 'm'));
});
