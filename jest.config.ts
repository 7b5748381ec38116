import { availableParallelism } from 'node:os';
import type { Config } from 'jest';
import { memoryEnvironment } from './packages/runtime/src/process/memory.ts';

// The processes that tests start, some hundreds, and Jest's own compile the same modules: once is enough.
process.env.NODE_COMPILE_CACHE ??= memoryEnvironment.NODE_COMPILE_CACHE;

const shared = {
  testEnvironment: '<rootDir>/tools/jest/vm-environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tools/jest/strip-types.mjs' },
};

/** Node itself loads these files, without a context of `vm` for each: that halves their CPU time. */
const bare = {
  ...shared,
  testEnvironment: '<rootDir>/tools/jest/bare-environment.ts',
  runtime: '<rootDir>/tools/jest/bare-runtime.ts',
  setupFiles: ['<rootDir>/tools/jest/new-metrics.ts'],
};

/**
 * Slow by nature: several processes, kills, browsers, foreign programs, long models. They run with `npm run test:all`, and
 * where a path is named: `npm test -- packages/turns/test/outages.slow.test.ts`. `npm run test:slow` runs nothing else, but for
 * those that hold our processes to a time that we promise, such as their end after SIGTERM: `npm run test:alone` runs these one
 * by one, because no promise is kept on a machine that does ten times what it can.
 */
const slow = '(\\.slow\\.test\\.ts$|/apps/dashboard/e2e/)';
const alone = '\\.alone\\.slow\\.test\\.ts$';
const isPathNamed = process.argv.slice(2).some((argument) => /^[^-].*(\/|\.ts$)/.test(argument));
const chosen = process.env.TESTS ?? (isPathNamed ? 'all' : 'quick');
const leftOut: Readonly<Record<string, readonly string[]>> = {
  all: [],
  quick: [slow],
  slow: [`^(?!.*${slow})`, alone],
  alone: [`^(?!.*${alone})`],
};
const left = leftOut[chosen];
const cores = Math.max(2, availableParallelism());
/** Tests wait, so two of them fill a core. A slow one runs several processes, and fills it alone. */
const workers: Readonly<Record<string, number>> = { slow: cores, alone: 1 };
if (left === undefined) throw new Error(`TESTS is all, quick, slow or alone, not ${chosen}`);

/** `unit` needs nothing; `integration` real Postgres and Redis; `browser` these, too; `contract` a running service (BASE_URL, or its own). */
const config: Config = {
  maxWorkers: workers[chosen] ?? 2 * cores,
  workerIdleMemoryLimit: '512MB',
  // For what hangs. How long a test takes is the machine's business.
  testTimeout: 300_000,
  projects: [
    {
      ...bare,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{apps,packages}/*/{src,peer}/**/*.test.ts',
        '<rootDir>/{tools,trials}/**/*.test.ts',
      ],
      testPathIgnorePatterns: [...left],
    },
    {
      ...bare,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/packages/contract/', ...left],
      globalSetup: '<rootDir>/tools/jest/test-services.ts',
      globalTeardown: '<rootDir>/tools/jest/test-services-stop.ts',
    },
    {
      ...bare,
      displayName: 'browser',
      testMatch: ['<rootDir>/apps/dashboard/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [...left],
      globalSetup: '<rootDir>/tools/jest/browser-tests.ts',
      globalTeardown: '<rootDir>/tools/jest/browser-tests-stop.ts',
    },
    {
      ...bare,
      displayName: 'contract',
      testMatch: ['<rootDir>/packages/contract/test/**/*.test.ts'],
      testPathIgnorePatterns: [...left],
      globalSetup: '<rootDir>/packages/contract/test/start-service.ts',
      globalTeardown: '<rootDir>/packages/contract/test/stop-service.ts',
    },
  ],
};
export default config;
