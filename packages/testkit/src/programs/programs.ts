import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Redis as `redis-binary.ts` unpacks it. */
export const unpackedRedis = path.resolve(import.meta.dirname, '../../../../.cache/redis');

interface Optional {
  /** Debian's packages, as `apt-get install` takes them. */
  readonly from: string;
  /** Where it is installed, if users do not have that folder in their PATH. */
  readonly folder?: string;
  /** A program that does the same. */
  readonly or?: string;
  /** The variable that names another file. */
  readonly variable?: string;
  /** Arguments with which it succeeds only if it is complete. */
  readonly proof?: readonly string[];
}

/** Every program that a test may need beside Node, npm, and what each Debian has (its essential packages). */
const optional = {
  bearerbox: { from: 'kannel', folder: '/usr/sbin' },
  chromium: { from: 'chromium', variable: 'CHROMIUM_PATH' },
  curl: { from: 'curl' },
  drive_smpp: { from: 'kannel-extras', folder: '/usr/lib/kannel/test' },
  fakesmsc: { from: 'kannel-extras', folder: '/usr/lib/kannel/test' },
  go: { from: 'golang-go' },
  haproxy: { from: 'haproxy', folder: '/usr/sbin' },
  nginx: { from: 'nginx', folder: '/usr/sbin' },
  openssl: { from: 'openssl' },
  pgbouncer: { from: 'pgbouncer', folder: '/usr/sbin' },
  php: { from: 'php-cli' },
  prometheus: { from: 'prometheus' },
  'prometheus-alertmanager': { from: 'prometheus-alertmanager' },
  promtool: { from: 'prometheus' },
  psql: { from: 'postgresql-client' },
  python3: { from: 'python3' },
  'redis-cli': { from: 'redis-tools' },
  'redis-server': { from: 'redis-server', folder: path.join(unpackedRedis, 'usr/bin'), or: 'valkey-server' },
  ruby: { from: 'ruby ruby-webrick', proof: ['-r', 'webrick', '-e', ''] },
  smsbox: { from: 'kannel', folder: '/usr/sbin' },
  'systemd-analyze': { from: 'systemd' },
  webhook: { from: 'webhook' },
  wrk: { from: 'wrk' },
} as const satisfies Readonly<Record<string, Optional>>;

/** The name of an optional program. */
export type Program = keyof typeof optional;

/**
 * The file of an optional program, in the PATH or where Debian installs it; null if it is not installed. With
 * `BARE_MACHINE=true` only the PATH counts, so a short PATH hides what is installed.
 */
export function findProgram(name: Program, env: NodeJS.ProcessEnv = process.env): string | null {
  const { folder, or, variable, proof }: Optional = optional[name];
  const folders = (env.PATH ?? '').split(path.delimiter).filter((one) => one !== '');
  if (folder !== undefined && !isBare(env)) folders.push(folder);
  const files = [name, ...(or === undefined ? [] : [or])].flatMap((one) =>
    folders.map((each) => path.join(each, one)),
  );
  const named = variable === undefined ? undefined : env[variable];
  const file = (named === undefined ? files : [named]).find(isExecutable) ?? null;
  if (file === null || proof === undefined) return file;
  return spawnSync(file, proof, { env, stdio: 'ignore' }).status === 0 ? file : null;
}

/** The file of an optional program. Throws an error of one line, which names Debian's package, if it is not installed. */
export function demandProgram(name: Program): string {
  const file = findProgram(name);
  if (file === null) throw new Error(missingPrograms([name])!);
  return file;
}

/** One line that says which of these are not installed, and which packages of Debian have them. Null if all are here. */
export function missingPrograms(
  names: readonly Program[],
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  const missing = names.filter((name) => findProgram(name, env) === null);
  if (missing.length === 0) return null;
  const packages = new Set(missing.map((name) => optional[name].from));
  return `${missing.join(', ')} not found: install Debian's ${[...packages].join(' ')}`;
}

/**
 * Whether tests that need these programs can run. If not, a line on stderr says that this file skips tests, and why. In CI that
 * is an error, because no test may be skipped there, unless `BARE_MACHINE=true` asks for it.
 */
export function hasPrograms(...names: readonly Program[]): boolean {
  const missing = missingPrograms(names);
  if (missing === null) return true;
  if (process.env.CI !== undefined && !isBare(process.env))
    throw new Error(`in CI no test is skipped, and ${missing}`);
  const { testPath = '' } = expect.getState();
  process.stderr.write(`skips tests: ${path.relative(process.cwd(), testPath)}: ${missing}\n`);
  return false;
}

/** `test`, or `test.skip` if a program is missing. Says so, or throws, as `hasPrograms` does. */
export function testWith(...names: readonly Program[]): jest.It {
  return hasPrograms(...names) ? test : test.skip;
}

/** `describe`, or `describe.skip` if a program is missing. Says so, or throws, as `hasPrograms` does. */
export function describeWith(...names: readonly Program[]): jest.Describe {
  return hasPrograms(...names) ? describe : describe.skip;
}

function isBare(env: NodeJS.ProcessEnv): boolean {
  return env.BARE_MACHINE === 'true';
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
