import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { roomsOf, sheetOf } from './architecture/rooms.ts';
import { readTree } from './architecture/tree.ts';
import { violations } from './architecture.ts';

type Files = Readonly<Record<string, string>>;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'notify-tree-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A small tree that obeys every rule. */
const sound: Files = {
  'package.json': manifest('notify', {}, { jest: '*', '@notify/db': '*' }),
  'tools/check.ts':
    "import { open } from '@notify/db/connection';\nimport type { Config } from 'jest';\nprocess.env.X;\n",
  'migrations/0001_first.ts': "import { sql } from 'kysely';\n",
  'packages/core/package.json': manifest('@notify/core'),
  'packages/core/src/index.ts': "export * from './decide.ts';\n",
  'packages/core/src/decide.ts': 'export const at = new Date(0); // not Date.now()\n',
  'packages/db/package.json': manifest(
    '@notify/db',
    { '@notify/core': '*', kysely: '*' },
    { '@notify/testkit': '*' },
  ),
  'packages/db/src/connection/index.ts':
    "import { at } from '@notify/core';\nimport { Kysely } from 'kysely';\nexport { open } from './open.ts';\n",
  'packages/db/test/index.test.ts':
    "import { open } from '@notify/db/connection';\nimport { clone } from '@notify/testkit';\n",
  'packages/testkit/package.json': manifest('@notify/testkit', { '@notify/db': '*' }),
  'packages/testkit/src/index.ts':
    "import { open } from '@notify/db/connection';\nexport const url = process.env.URL;\n",
  'packages/channels/package.json': manifest('@notify/channels'),
  'packages/channels/src/registry.ts': "import { sandbox } from './sandbox/sandbox.ts';\n",
  'packages/channels/test/conformance.ts': 'export const suite = 1;\n',
  'packages/channels/src/sandbox/sandbox.ts': 'export const sandbox = 1;\n',
  'packages/channels/src/sandbox/sandbox.test.ts': "import { suite } from '../../test/conformance.ts';\n",
  'apps/api/package.json': manifest('@notify/api', { '@notify/db': '*' }),
  'apps/api/src/http/config.ts': 'export const env = process.env;\n',
  'apps/api/src/http/deep/route.ts': "import { env } from '../config.ts';\n",
  'apps/api/src/main.ts': "import { open } from '@notify/db/connection';\n",
};

function manifest(name: string, dependencies: object = {}, devDependencies: object = {}): string {
  return JSON.stringify({ name, dependencies, devDependencies });
}

async function violationsWith(changes: Files): Promise<string[]> {
  for (const [file, content] of Object.entries({ ...sound, ...changes })) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), content);
  }
  return violations(root);
}

test('a tree that obeys every rule has no violations', async () => {
  expect(await violationsWith({})).toEqual([]);
});

test.each<[string, Files, string[]]>([
  [
    'a savepoint, and SQL that handles an exception',
    {
      'packages/db/src/connection/a.ts': "export const trx = (one) => one.savepoint('a').execute();\n",
      'packages/db/test/a.test.ts': "export const trx = (one) => one.savepoint('a').execute();\n",
      'migrations/0001_first.ts': 'export const body = `begin null; exception when others then null; end`;\n',
    },
    [
      'migrations/0001_first.ts: writes in a subtransaction, whose events no reader would see',
      'packages/db/src/connection/a.ts: writes in a subtransaction, whose events no reader would see',
    ],
  ],
  [
    'a trial that imports an app by its path, or another trial',
    {
      'trials/kit/load.ts': 'export const load = 1;\n',
      'trials/chaos/main.ts':
        "import { load } from '../kit/load.ts';\nimport { env } from '../../apps/api/src/config.ts';\n",
      'trials/drills/redis/main.ts':
        "import { load } from '../../kit/load.ts';\nimport { run } from './run.ts';\n",
      'trials/drills/redis/run.ts': "import { main } from '../../chaos/main.ts';\n",
    },
    [
      'trials/chaos/main.ts: a trial may not import ../../apps/api/src/config.ts',
      'trials/drills/redis/run.ts: a trial may not import ../../chaos/main.ts',
    ],
  ],
  [
    'a package nobody has placed',
    { 'packages/extra/package.json': manifest('@notify/extra') },
    ['packages/extra/package.json: @notify/extra is not in the dependency table'],
  ],
  [
    'an app nobody has placed',
    { 'apps/extra/package.json': manifest('@notify/extra') },
    ['apps/extra/package.json: @notify/extra is not in the dependency table'],
  ],
  [
    'an import against the table',
    {
      'packages/core/package.json': manifest('@notify/core', { '@notify/db': '*' }),
      'packages/core/src/index.ts': "export {\n  open,\n} from '@notify/db/connection';\n",
    },
    [
      'packages/core/src/index.ts: @notify/core may not import @notify/db',
      'packages/core/src/index.ts: core is pure, yet imports @notify/db/connection',
    ],
  ],
  [
    'an import of types against the table, in a test',
    { 'packages/core/src/a.test.ts': "import type { Log } from '@notify/db/connection';\n" },
    ['packages/core/src/a.test.ts: @notify/core may not import @notify/db'],
  ],
  [
    'lines past the catalogue of log events',
    {
      'apps/api/package.json': manifest('@notify/api', { pino: '1' }),
      'apps/api/src/main.ts': "import { pino } from 'pino';\nlog.warn({}, 'x');\nconsole.log(pino);\n",
    },
    [
      'apps/api/src/main.ts: logs past the catalogue; add an event to packages/runtime/src/logs and use log.tell',
      'apps/api/src/main.ts: only packages/runtime/src/logs/log.ts may import pino',
      'apps/api/src/main.ts: prints past the log; use log.tell',
    ],
  ],
  [
    'an app that imports another',
    {
      'apps/operator/package.json': manifest('@notify/operator', { '@notify/api': '*' }),
      'apps/operator/src/main.ts': "const api = await import('@notify/api');\n",
    },
    ['apps/operator/src/main.ts: @notify/operator may not import @notify/api'],
  ],
  [
    'a testkit that imports an app',
    {
      'packages/testkit/package.json': manifest('@notify/testkit', { '@notify/db': '*', '@notify/api': '*' }),
      'packages/testkit/src/start.ts': "import { startApi } from '@notify/api';\n",
    },
    ['packages/testkit/src/start.ts: @notify/testkit may not import @notify/api'],
  ],
  [
    'the testkit in what a process runs',
    { 'packages/db/src/connection/a.ts': "import { clone } from '@notify/testkit';\n" },
    [
      'packages/db/src/connection/a.ts: @notify/testkit is not declared in packages/db/package.json',
      'packages/db/src/connection/a.ts: only tests may import @notify/testkit',
    ],
  ],
  [
    'the testkit installed for a process',
    { 'apps/api/package.json': manifest('@notify/api', { '@notify/db': '*', '@notify/testkit': '*' }) },
    [
      'apps/api/package.json: @notify/testkit belongs into devDependencies',
      'apps/api/package.json: @notify/testkit is declared, yet not imported',
    ],
  ],
  [
    'a test in what a process runs',
    { 'packages/channels/src/index.ts': "export { suite } from '../test/conformance.ts';\n" },
    ['packages/channels/src/index.ts: imports a test: ../test/conformance.ts'],
  ],
  [
    'an import nobody declared',
    { 'apps/api/src/http/a.ts': "import 'express';\n" },
    ['apps/api/src/http/a.ts: express is not declared in apps/api/package.json'],
  ],
  [
    'a subpath of a package nobody declared',
    { 'apps/api/src/http/a.ts': "import fs from '@scope/name/sub';\n" },
    ['apps/api/src/http/a.ts: @scope/name is not declared in apps/api/package.json'],
  ],
  [
    'a process that needs a development dependency',
    {
      'packages/db/package.json': manifest(
        '@notify/db',
        { '@notify/core': '*' },
        { '@notify/testkit': '*', kysely: '*' },
      ),
    },
    [
      'migrations/0001_first.ts: kysely is not declared in packages/db/package.json',
      'packages/db/src/connection/index.ts: kysely is not declared in packages/db/package.json',
    ],
  ],
  [
    'a migration that needs what its package does not declare',
    { 'migrations/0002_second.ts': "import pg from 'pg';\n" },
    ['migrations/0002_second.ts: pg is not declared in packages/db/package.json'],
  ],
  [
    'a tool that needs what the root does not declare',
    { 'tools/a.ts': "import { at } from '@notify/core';\n" },
    ['tools/a.ts: @notify/core is not declared in package.json'],
  ],
  [
    'a declaration that only a comment uses',
    {
      'apps/api/package.json': manifest('@notify/api', { '@notify/db': '*', pg: '*' }),
      'apps/api/src/http/a.ts': "/*\nimport pg from 'pg';\n*/\n// import pg from 'pg';\n",
    },
    ['apps/api/package.json: pg is declared, yet not imported'],
  ],
  [
    'the environment read elsewhere',
    {
      'apps/api/src/main.ts':
        "import { open } from '@notify/db/connection';\nconst { PORT } = process.env;\n",
    },
    ['apps/api/src/main.ts: only a file named config.ts may read process.env'],
  ],
  [
    'a clock in core',
    { 'packages/core/src/decide.ts': 'export const at = new Date();\n' },
    ['packages/core/src/decide.ts: core is pure, yet uses new Date()'],
  ],
  [
    'a built-in module in core',
    { 'packages/core/src/decide.ts': "import { hash } from 'node:crypto';\n" },
    ['packages/core/src/decide.ts: core is pure, yet imports node:crypto'],
  ],
  [
    'a relative import out of its package',
    { 'apps/api/src/http/a.ts': "import { at } from '../../../../packages/core/src/index.ts';\n" },
    ['apps/api/src/http/a.ts: reaches out of apps/api: ../../../../packages/core/src/index.ts'],
  ],
  [
    'a provider nobody can choose',
    { 'packages/channels/src/registry.ts': '\n' },
    ['packages/channels/src/sandbox: is not in registry.ts'],
  ],
  [
    'a provider that has shown nothing',
    { 'packages/channels/src/sandbox/sandbox.test.ts': "import { sandbox } from './sandbox.ts';\n" },
    ['packages/channels/src/sandbox: has no test that runs the conformance suite'],
  ],
  [
    'a folder that says nothing',
    { 'apps/api/src/http/utils/a.ts': 'export {};\n' },
    ['apps/api/src/http/utils: a folder is named for what it holds'],
  ],
  [
    'a file of db in no room',
    { 'packages/db/src/open.ts': 'export const open = 1;\n' },
    ['packages/db/src/open.ts: is in none of the rooms of packages/db/src'],
  ],
  [
    'a room of db that imports a higher one',
    { 'packages/db/src/connection/open.ts': "import type { Row } from '../webhooks/webhooks.ts';\n" },
    ['packages/db/src/connection/open.ts: imports a higher room: ../webhooks/webhooks.ts'],
  ],
  [
    'a room of the api that imports a higher one, as all features are to http',
    { 'apps/api/src/http/handle.ts': "import { readKey } from '../keys/key.ts';\n" },
    ['apps/api/src/http/handle.ts: imports a higher room: ../keys/key.ts'],
  ],
  [
    'a room of db that exports what nobody imports',
    { 'packages/db/src/usage/index.ts': "export { type Row, open } from './read.ts';\n" },
    ['packages/db/src/usage/index.ts: exports Row, which no other package imports'],
  ],
])('%s is found', async (_name, changes, lines) => {
  expect(await violationsWith(changes)).toEqual(lines);
});

test('the sheet counts the imports between rooms', async () => {
  await violationsWith({
    'apps/api/src/keys/key.ts': "import { env } from '../http/config.ts';\nimport { a } from './a.ts';\n",
    'apps/api/src/http/handle.ts': "import type { Key } from '../keys/key.ts';\n",
  });
  const [sum, ...lines] = sheetOf('apps/api/src', await readTree(root));
  expect(sum).toBe('Imports between the rooms of apps/api/src: 2, upward: 1');
  expect(lines.filter((line) => /\d$/.test(line)).map((line) => line.trim().split(/ +/))).toEqual([
    ['http', 'keys', '1'],
    ['keys', 'http', '1'],
  ]);
});

test('the rooms of the database are in docs/architecture.md in their order', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../docs/architecture.md'), 'utf8');
  const listed = [...text.slice(text.indexOf('## Tables')).matchAll(/^- `([\w-]+)`:/gm)].map(
    ([, room]) => room,
  );
  const [, , , ...rooms] = roomsOf['packages/db/src']!;
  expect(listed).toEqual(rooms);
});

test('the rooms of the api are in docs/architecture.md in their order', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../docs/architecture.md'), 'utf8');
  const order = roomsOf['apps/api/src']!.map((room) => `\`${room}\``).join(' < ');
  expect(text.replace(/\s+/g, ' ')).toContain(order);
});
