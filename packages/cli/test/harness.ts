import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TokenScope } from '@notify/sdk';
import { patiently, startServiceHere } from '@notify/testkit';
import { environmentOf, type HereOptions, type Ran, runHere } from './run-here.ts';

const main = path.resolve(import.meta.dirname, '../src/main.ts');

export interface RunOptions extends HereOptions {
  /** Called with each piece of standard output. It may end the run by a signal. */
  readonly onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** The same for standard error. */
  readonly onMessages?: (stderr: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Close standard output after its first piece, as `head` does. */
  readonly closesOutput?: boolean;
}

/** A service with a tenant, and the program. */
export interface Harness {
  readonly url: string;
  /** A service token with every scope. */
  readonly token: string;
  /** An empty folder for the program's files. */
  readonly configFolder: string;
  /** Runs a command line in this process, with NOTIFY_URL and NOTIFY_TOKEN. */
  readonly run: (args: readonly string[], options?: HereOptions) => Promise<Ran>;
  /** Runs the program as its user would, in its own process: for signals, pipes and what `main.ts` does. */
  readonly runProcess: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** Runs it with --json and parses what it prints. Throws if it fails. */
  readonly json: <T = Record<string, unknown>>(...args: string[]) => Promise<T>;
  /** A service token with these scopes. */
  readonly makeToken: (scopes: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** `satisfies` refuses to compile when the API has another scope. */
const allScopes = Object.keys({
  'messages:read': true,
  'messages:send': true,
  'messages:manage': true,
  'webhooks:read': true,
  'webhooks:write': true,
  'events:read': true,
  'accounts:read': true,
  'accounts:write': true,
  'accounts:link': true,
  'templates:read': true,
  'templates:write': true,
  'keys:read': true,
  'keys:write': true,
  'usage:read': true,
  'consent:read': true,
  'consent:write': true,
  'conversations:read': true,
  'conversations:write': true,
} satisfies Record<TokenScope, true>);

/** Starts the service and registers a tenant. */
export async function openHarness(): Promise<Harness> {
  const service = await startServiceHere({
    env: { BCRYPT_COST: '4', SESSION_RATE_PER_MINUTE: '100000' },
  });
  const configFolder = await mkdtemp(path.join(tmpdir(), 'notifyctl-'));
  const accessToken = await register(service.url);
  const makeToken = async (scopes: readonly string[]): Promise<string> => {
    const made = await post(service.url, '/tenant/service-tokens', { name: 'cli', scopes }, accessToken);
    return made.token;
  };
  const token = await makeToken(allScopes);
  const base = { NOTIFY_URL: service.url, NOTIFY_TOKEN: token, XDG_CONFIG_HOME: configFolder };
  const run: Harness['run'] = (args, options = {}) =>
    runHere(args, { ...options, env: { ...base, ...options.env } });
  return {
    url: service.url,
    token,
    configFolder,
    run,
    runProcess: (args, options = {}) => runProcess(args, { ...options, env: { ...base, ...options.env } }),
    makeToken,
    async json<T>(...args: string[]) {
      const ran = await run([...args, '--json']);
      if (ran.code !== 0) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
      return JSON.parse(ran.stdout) as T;
    },
    async stop() {
      await service.stop();
      await rm(configFolder, { recursive: true });
    },
  };
}

/** Runs the program with this environment and nothing of ours that it reads. */
export function runProcess(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...args], { env: environmentOf(options.env) });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    options.onOutput?.(stdout, (signal) => child.kill(signal));
    if (options.closesOutput === true) child.stdout.destroy();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    options.onMessages?.(stderr, (signal) => child.kill(signal));
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function register(url: string): Promise<string> {
  const body = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' };
  const { data } = await post(url, '/auth/register', body);
  return data.accessToken;
}

async function post(url: string, at: string, body: unknown, bearer?: string) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const response = await patiently(() =>
    fetch(url + at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(body),
    }),
  );
  const answer = (await response.json()) as { token: string; data: { accessToken: string } };
  if (!response.ok) throw new Error(`${at}: ${JSON.stringify(answer)}`);
  return answer;
}

/** An address at which nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
