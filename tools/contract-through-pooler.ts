import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startOwnPostgres, startPgBouncer } from '@notify/testkit';

/**
 * Runs the contract suite against a service whose statements go through its own PgBouncer:
 * `npm run contract-through-pooler -- --mode transaction`. Further arguments choose test files, as for `npm test`. The
 * queue is in Postgres and has its session: through the pooler in session mode, directly in transaction mode.
 */
const { values, positionals } = parseArgs({
  options: { mode: { type: 'string', default: 'transaction' } },
  allowPositionals: true,
});
const { mode } = values;
if (mode !== 'session' && mode !== 'transaction') throw new Error('--mode is session or transaction');

// Several services run at a time, each on its own database, and PgBouncer has a pool for each database. In session mode
// every connection of a service needs one of its pool.
const [poolSize, maxConnections] = mode === 'session' ? [120, 600] : [40, 300];
const server = await startOwnPostgres({ maxConnections });
const pooler = await startPgBouncer({ mode, server: server.url, poolSize });
try {
  const settings = {
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: mode,
    ...(mode === 'transaction' ? { PREPARED_STATEMENTS: 'off', DATABASE_SESSION_URL: server.url } : {}),
  };
  const root = path.resolve(import.meta.dirname, '..');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const suite = spawn(process.execPath, [...flags, jest, ...positionals, '--selectProjects', 'contract'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CONTRACT_SETTINGS: JSON.stringify(settings) },
  });
  const [code] = (await once(suite, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await pooler[Symbol.asyncDispose]();
  await server.remove();
}
