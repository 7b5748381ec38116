import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startService } from '@notify/testkit';
import { packLibraries } from '../pack/library.ts';

// Packs what integrators install, installs it into empty projects, and uses it there: in the runtimes and with the
// compilers that they have. These come from npm, each into its own folder.

const run = promisify(execFile);
const sources = import.meta.dirname;
const platform = `${process.platform}-${process.arch}`;

/** A runtime, and how it runs a program. */
const runtimes = [
  { name: 'node 20', from: `node-${platform}@20`, command: ['bin/node', 'use-sdk.mjs'] },
  { name: 'node 24', from: `node-${platform}@24`, command: ['bin/node', 'use-sdk.mjs'] },
  { name: 'bun', from: 'bun', command: ['bin/bun.exe', 'use-sdk.mjs'] },
  { name: 'deno', from: 'deno', command: ['bin.cjs', 'run', '--allow-net', '--allow-env', 'use-sdk.mjs'] },
] as const;
const compilers = ['5', '6', '7'];
const resolutions = [
  { module: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'nodenext', lib: ['es2022'], types: ['node'] },
];

const folder = await mkdtemp(path.join(tmpdir(), 'notify-packages-'));
const failures: string[] = [];
const service = await startService({ env: { BCRYPT_COST: '4' } });
try {
  const [sdk, cli] = await packLibraries(['sdk', 'cli'], folder);
  const environment = await credentials(service.url);
  for (const runtime of runtimes) {
    await trial(`@notify/sdk in ${runtime.name}`, async () => {
      const tool = await install(runtime.name, [runtime.from]);
      const project = await install(`${runtime.name} project`, [sdk!]);
      await copyFile(path.join(sources, 'use-sdk.mjs'), path.join(project, 'use-sdk.mjs'));
      const [program, ...rest] = runtime.command;
      const from = path.join(tool, 'node_modules', toolOf(runtime), program);
      const env = { ...process.env, ...environment };
      const { stdout } = await run(from, rest, { cwd: project, env, timeout: 60_000 });
      if (stdout.trim() !== 'done') throw new Error(`it printed ${stdout}`);
      const version = await run(from, ['--version'], { cwd: project });
      return version.stdout.trim().split('\n')[0]!;
    });
  }
  for (const runtime of runtimes.filter(({ name }) => name.startsWith('node'))) {
    await trial(`@notify/cli in ${runtime.name}`, async () => {
      const node = path.join(folder, folderName(runtime.name), 'node_modules', toolOf(runtime), 'bin/node');
      const project = await install(`cli in ${runtime.name}`, [sdk!, cli!]);
      const notifyctl = async (...words: string[]): Promise<string> => {
        const command = ['node_modules/@notify/cli/lib/main.js', ...words];
        const env = { ...process.env, ...environment };
        return (await run(node, command, { cwd: project, env, timeout: 60_000 })).stdout.trim();
      };
      const { data } = JSON.parse(await notifyctl('messages', 'list', '--json')) as { data: unknown[] };
      if (data.length === 0) throw new Error('it lists no message');
      return notifyctl('--version');
    });
  }
  for (const compiler of compilers) {
    await trial(`@notify/sdk with TypeScript ${compiler}`, async () => {
      const project = await install(`typescript ${compiler}`, [
        sdk!,
        `typescript@${compiler}`,
        '@types/node@24',
      ]);
      await copyFile(path.join(sources, 'use-sdk-types.ts'), path.join(project, 'use.ts'));
      for (const resolution of resolutions) {
        const compilerOptions = { strict: true, noEmit: true, target: 'es2022', types: [], ...resolution };
        const config = JSON.stringify({ compilerOptions, files: ['use.ts'] });
        await writeFile(path.join(project, 'tsconfig.json'), config);
        await run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: project });
      }
      const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--version'], {
        cwd: project,
      });
      return stdout.trim();
    });
  }
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(
  failures.length === 0 ? 'All packages work.' : `${failures.length} failed: ${failures.join(', ')}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function trial(name: string, test: () => Promise<string>): Promise<void> {
  try {
    console.log(`ok      ${name} (${await test()})`);
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string };
    console.log(`failed  ${name}: ${message}\n${stdout}`);
    failures.push(name);
  }
}

/** An empty project with these packages. */
async function install(name: string, packages: readonly string[]): Promise<string> {
  const project = path.join(folder, folderName(name));
  await mkdir(project, { recursive: true });
  await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: project, timeout: 300_000 });
  return project;
}

function folderName(name: string): string {
  return name.replaceAll(' ', '-');
}

/** The name of a runtime's package. */
function toolOf({ from }: (typeof runtimes)[number]): string {
  return from.replace(/@\d+$/, '');
}

/** A tenant of the service, as environment variables. */
async function credentials(url: string): Promise<Record<string, string>> {
  const post = async (at: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url + at, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${at}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const who = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' };
  const { accessToken } = (await post('/auth/register', who))['data'] as { accessToken: string };
  const { key } = await post('/tenant/api-keys', { name: 'packages' }, accessToken);
  const scopes = ['messages:read', 'events:read'];
  const { token } = await post('/tenant/service-tokens', { name: 'packages', scopes }, accessToken);
  return { NOTIFY_URL: url, NOTIFY_API_KEY: String(key), NOTIFY_TOKEN: String(token) };
}
