import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-readme-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Compiles each sample as its own module. Resolves with the compiler's errors, empty if there are none. */
async function errorsOf(samples: readonly string[]): Promise<string> {
  await Promise.all(samples.map((text, index) => writeFile(path.join(folder, `sample-${index}.ts`), text)));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    types: [],
    paths: { '@notify/sdk': [path.join(root, 'packages/sdk/src/index.ts')] },
  };
  const config = JSON.stringify({ compilerOptions, include: ['*.ts'] });
  await writeFile(path.join(folder, 'tsconfig.json'), config);
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

test('the samples of the README compile', async () => {
  const text = await readFile(path.join(root, 'packages/sdk/README.md'), 'utf8');
  const samples = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, sample]) => sample!);
  expect(samples.length).toBeGreaterThan(5);
  expect(await errorsOf(samples)).toBe('');
  // Such a test would be worth nothing if nothing failed it.
  expect(await errorsOf([samples[0]!.replace("'sms'", "'pigeon'")])).toContain('pigeon');
});
