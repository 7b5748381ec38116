import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs, startProcesses } from '@notify/testkit';

/** This tree. */
export const root = path.resolve(import.meta.dirname, '../../..');

export interface Stores {
  readonly databaseUrl: string;
  /** Null: the queue is in Postgres. */
  readonly redisUrl: string | null;
}

/** Runs `migrate` of a tree, as its operator does. */
export function migrateWith(tree: string, { databaseUrl, redisUrl }: Stores): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl ?? '', NOTIFY_MODE: 'production' };
  return runNode(tree, ['apps/operator/src/main.ts', 'migrate'], env);
}

/** Runs `migrate` of this tree, and the migrations of the drill. Calls `onWait` when one waits for a lock of another. */
export function migrateFurther(databaseUrl: string, onWait: () => void = () => undefined): Promise<void> {
  return runNode(root, ['trials/drills/upgrade/migrate-main.ts', databaseUrl], {}, (line) => {
    if (line.includes('waits for pid')) onWait();
  });
}

/** What lets the contract suite run at its own pace (packages/contract/test/README.md). */
const brisk = {
  LOGIN_ATTEMPTS_PER_MINUTE: '100000',
  LOGIN_ATTEMPTS_PER_ADDRESS: '100000',
  SESSION_RATE_PER_MINUTE: '100000',
  WEBHOOK_TESTS_PER_MINUTE: '100000',
  ACCOUNT_CHECKS_PER_MINUTE: '100000',
  // The name of the same limit in the version before.
  VERIFICATIONS_PER_MINUTE: '100000',
  BCRYPT_COST: '4',
  WHATSAPP_WEB_URL: 'ws://127.0.0.1:1/',
};

/** Runs the contract suite of a tree against processes of the same tree, with the queue in Postgres. Rejects if it fails. */
export async function contractSuite(tree: string, databaseUrl: string): Promise<void> {
  const processes = await startProcesses({ databaseUrl, redisUrl: null, tree, env: brisk, whatsapp: 1 });
  try {
    const jest = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
    ];
    await runNode(tree, [...jest, '--selectProjects', 'contract'], { BASE_URL: processes.api[0]!.url });
  } finally {
    await processes.stop();
  }
}

/** Runs a program of a tree, with its output here. Rejects unless it ends with 0. */
async function runNode(
  tree: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: tree,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child, 'SIGTERM');
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    onLine(line);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) throw new Error(`${args.join(' ')} of ${tree} ended with ${signal ?? code}`);
}
