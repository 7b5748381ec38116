import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/* The clients of the two usual generators accept every example of openapi.json, and require nothing more. */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: { readonly enum?: readonly unknown[]; readonly examples?: readonly unknown[] };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const generators = path.join(root, 'tools/generated-clients');
const installed = createRequire(path.join(generators, 'package.json'));

let folder: string;
let operations: readonly Operation[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-clients-'));
  const document = JSON.parse(await readFile(path.join(root, 'openapi.json'), 'utf8')) as Document;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  await cp(path.join(root, 'openapi.json'), path.join(folder, 'openapi.json'));
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
};

/** Runs a generator's program, given its path below `node_modules`. */
async function generate(name: string, program: string, args: readonly string[]): Promise<void> {
  const file = path.join(path.dirname(installed.resolve(`${name}/package.json`)), program);
  const preload = path.join(generators, 'typescript-5.ts');
  const env = { ...process.env, NODE_OPTIONS: `--import=${preload}` };
  await run(process.execPath, [file, ...args], { cwd: folder, env });
}

/** The compiler's errors for a program beside the generated client; empty if there are none. */
async function faultsOf(name: string, lines: readonly string[]): Promise<string> {
  await writeFile(path.join(folder, name), lines.join('\n'));
  const config = { ...tsconfig, files: [name] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const bodyOf = ({ requestBody }: Operation): unknown => requestBody?.content['application/json']?.example;
const exampleOf = ({ name, schema }: Parameter): unknown => schema.examples?.[0] ?? schema.enum?.[0] ?? name;
const valuesIn = (place: Parameter['in'], { parameters }: Operation) =>
  Object.fromEntries(
    parameters.filter((one) => one.in === place && one.required).map((one) => [one.name, exampleOf(one)]),
  );

test('openapi-typescript', async () => {
  await generate('openapi-typescript', 'bin/cli.js', ['openapi.json', '-o', 'types.ts']);
  const requests = operations.flatMap((operation, index) => {
    const { operationId } = operation;
    const parameters = { path: valuesIn('path', operation), query: valuesIn('query', operation) };
    const body = bodyOf(operation);
    return [
      `export const parameters${index}: Pick<operations['${operationId}']['parameters'], never> &`,
      `  Given<operations['${operationId}']['parameters'], 'path' | 'query'> = ${JSON.stringify(parameters)};`,
      ...(body === undefined
        ? []
        : [`export const body${index}: BodyOf<operations['${operationId}']> = ${JSON.stringify(body)};`]),
    ];
  });
  const faults = await faultsOf('with-types.ts', [
    `import type { operations } from './types.ts';`,
    `type Given<P, K extends string> = { [N in K]: N extends keyof P ? (P[N] extends undefined ? object : P[N]) : object };`,
    `type BodyOf<O> = O extends { requestBody?: infer R }`,
    `  ? NonNullable<R> extends { content: { 'application/json': infer B } } ? B : never : never;`,
    ...requests,
  ]);
  expect(faults).toBe('');
}, 120_000);

test('@hey-api/openapi-ts', async () => {
  await generate('@hey-api/openapi-ts', 'bin/run.js', ['-i', 'openapi.json', '-o', 'client']);
  const calls = operations.map((operation) => {
    const given = { path: valuesIn('path', operation), query: valuesIn('query', operation) };
    const options = {
      ...(Object.keys(given.path).length === 0 ? {} : { path: given.path }),
      ...(Object.keys(given.query).length === 0 ? {} : { query: given.query }),
      ...(operation.requestBody === undefined ? {} : { body: bodyOf(operation) }),
    };
    return `void sdk.${operation.operationId}(${JSON.stringify(options)});`;
  });
  const faults = await faultsOf('with-client.ts', [`import * as sdk from './client/sdk.gen';`, ...calls]);
  expect(faults).toBe('');
}, 120_000);
