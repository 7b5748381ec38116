import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compile } from './compile.ts';
import { dependenciesOf } from './dependencies.ts';
import { workspacesOf } from './workspaces.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'notify-pack-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: string | object): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}

/** A service of one app, which uses a package that uses another. */
function writeService(): void {
  write('apps/api/package.json', { name: '@notify/api', dependencies: { '@notify/db': '*', pg: '^8.0.0' } });
  write('packages/db/package.json', {
    name: '@notify/db',
    exports: { './tenants': './src/tenants/index.ts' },
    dependencies: { '@notify/core': '*', pg: '^8.1.0' },
    devDependencies: { jest: '*' },
    optionalDependencies: { fast: '^1.0.0' },
  });
  write('packages/core/package.json', { name: '@notify/core', exports: { '.': './src/index.ts' } });
  write('package.json', { name: 'notify', overrides: { deep: '3.0.4' } });
}

const services = () => workspacesOf(root, ['apps/api']);

test('the package contains what an app uses, directly or not', () => {
  writeService();
  expect(services().map(({ dir }) => dir)).toEqual(['apps/api', 'packages/db', 'packages/core']);
});

test('imports name JavaScript, and packages by their place; types are gone', () => {
  writeService();
  write(
    'apps/api/src/keys/create.ts',
    [
      `import { createKey, type Key } from '@notify/db/tenants';`,
      `import * as core from "@notify/core";`,
      `import type { Db } from './types.ts';`,
      `import manifest from '../../package.json' with { type: 'json' };`,
      `import pg from 'pg';`,
      `export * from './other.ts';`,
      `const late = await import('./late.ts');`,
      `export const one: Key = createKey(core, manifest, pg, late) as Db;`,
    ].join('\n'),
  );
  const lines = compile(root, 'apps/api/src/keys/create.ts', services()).split('\n');
  expect(lines.map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual([
    `import { createKey, } from '../../../../packages/db/src/tenants/index.js';`,
    `import * as core from "../../../../packages/core/src/index.js";`,
    '',
    `import manifest from '../../package.json' with { type: 'json' };`,
    `import pg from 'pg';`,
    `export * from './other.js';`,
    `const late = await import('./late.js');`,
    'export const one = createKey(core, manifest, pg, late) ;',
  ]);
});

test('an import of a package that is left out is an error', () => {
  writeService();
  write('apps/api/src/main.ts', `import '@notify/whatsapp-sessions';`);
  expect(() => compile(root, 'apps/api/src/main.ts', services())).toThrow(
    '@notify/whatsapp-sessions is not in the package',
  );
});

test('dependencies have the versions of the lock file and of overrides, and no package of ours or for development', () => {
  writeService();
  write('package-lock.json', {
    packages: { 'node_modules/pg': { version: '8.23.1' }, 'node_modules/fast': { version: '1.2.3' } },
  });
  expect(dependenciesOf(root, services())).toEqual({
    dependencies: { pg: '8.23.1' },
    optionalDependencies: { fast: '1.2.3', deep: '3.0.4' },
  });
});

test('two versions of one dependency cannot be packed', () => {
  writeService();
  const packages = {
    'node_modules/pg': { version: '8.23.1' },
    'packages/db/node_modules/pg': { version: '8.24.0' },
    'node_modules/fast': { version: '1.2.3' },
  };
  write('package-lock.json', { packages });
  expect(() => dependenciesOf(root, services())).toThrow('pg: the workspaces use 8.23.1 and 8.24.0');
});
