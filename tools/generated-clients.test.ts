import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/* The clients of the two usual generators accept every example of openapi.json, and require nothing more. */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example?: unknown;
}
interface Operation {
  /** `group.verb`, or the name of an event. */
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
}

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const generators = path.join(root, 'tools/generated-clients');
const installed = createRequire(path.join(generators, 'package.json'));

let folder: string;
let operations: readonly Operation[];
let events: readonly Operation[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-clients-'));
  const document = JSON.parse(await readFile(path.join(root, 'openapi.json'), 'utf8')) as Document;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  events = Object.values(document.webhooks).map(({ post }) => post);
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
const exampleOf = ({ name, example }: Parameter): unknown => example ?? name;
const valuesIn = (place: Parameter['in'], { parameters }: Operation) =>
  Object.fromEntries(
    parameters.filter((one) => one.in === place && one.required).map((one) => [one.name, exampleOf(one)]),
  );

/** A program that tells events apart and uses names of types. */
const receiver = (typeOf: (name: string) => string): readonly string[] => [
  `export function summaryOf(event: ${typeOf('WebhookEventBody')}): string {`,
  `  switch (event.event) {`,
  `    case 'message.received': return event.from;`,
  `    case 'contact.paired': case 'contact.opted-out': case 'contact.opted-in': return event.to;`,
  `    case 'webhook.test': return event.id;`,
  `    case 'group.delivered': case 'group.failed': return event.groupId;`,
  `    case 'verification.held': return event.prefix;`,
  `    default: { const status: ${typeOf('MessageStatus')} = event.status; return status; }`,
  `  }`,
  `}`,
  `export const channelOf = (message: ${typeOf('MessageDetails')}): ${typeOf('Channel')} => message.provider;`,
  `export const isBusy = (problem: ${typeOf('Problem')}): boolean =>`,
  `  (['rate-limited', 'unavailable'] satisfies ${typeOf('ProblemCode')}[] as string[]).includes(problem.code);`,
];

/** `messagesSendText` for `messages.sendText`, as this generator writes it. */
const camelCase = ({ operationId }: Operation): string =>
  operationId.replaceAll(/[.-](\w)/g, (_, first: string) => first.toUpperCase());

test('openapi-typescript', async () => {
  await generate('openapi-typescript', 'bin/cli.js', ['openapi.json', '-o', 'types.ts']);
  const requests = [...operations, ...events].flatMap((operation, index) => {
    const { operationId } = operation;
    const parameters = {
      path: valuesIn('path', operation),
      query: valuesIn('query', operation),
      header: valuesIn('header', operation),
    };
    const body = bodyOf(operation);
    return [
      `export const parameters${index}: Pick<operations['${operationId}']['parameters'], never> &`,
      `  Given<operations['${operationId}']['parameters'], 'path' | 'query' | 'header'> = ${JSON.stringify(parameters)};`,
      ...(body === undefined
        ? []
        : [`export const body${index}: BodyOf<operations['${operationId}']> = ${JSON.stringify(body)};`]),
    ];
  });
  const faults = await faultsOf('with-types.ts', [
    `import type { components, operations } from './types.ts';`,
    `type Given<P, K extends string> = { [N in K]: N extends keyof P ? (P[N] extends undefined ? object : P[N]) : object };`,
    `type BodyOf<O> = O extends { requestBody?: infer R }`,
    `  ? NonNullable<R> extends { content: { 'application/json': infer B } } ? B : never : never;`,
    ...requests,
    ...receiver((name) => `components['schemas']['${name}']`),
  ]);
  expect(faults).toBe('');
});

test('@hey-api/openapi-ts', async () => {
  await generate('@hey-api/openapi-ts', 'bin/run.js', ['-i', 'openapi.json', '-o', 'client']);
  const calls = operations.map((operation) => {
    const [inPath, inQuery] = [valuesIn('path', operation), valuesIn('query', operation)];
    const options = {
      ...(Object.keys(inPath).length === 0 ? {} : { path: inPath }),
      ...(Object.keys(inQuery).length === 0 ? {} : { query: inQuery }),
      ...(operation.requestBody === undefined ? {} : { body: bodyOf(operation) }),
    };
    const isFile = operation.requestBody !== undefined && bodyOf(operation) === undefined;
    const given = JSON.stringify(options);
    return `void sdk.${camelCase(operation)}(${isFile ? `{ ...${given}, body: new Blob() }` : given});`;
  });
  const received = events.map((event, index) => {
    const type = `${camelCase(event).replace(/^./, (first) => first.toUpperCase())}WebhookPayload`;
    return `export const event${index}: types.${type} = ${JSON.stringify(bodyOf(event))};`;
  });
  const faults = await faultsOf('with-client.ts', [
    `import * as sdk from './client/sdk.gen';`,
    `import type * as types from './client/types.gen';`,
    ...calls,
    ...received,
    ...receiver((name) => `types.${name}`),
  ]);
  expect(faults).toBe('');
});
