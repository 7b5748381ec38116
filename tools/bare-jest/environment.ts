import path from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { FileWatch, timesVariable } from './file-times.ts';

/** Jest's environment without a world of its own: tests see the globals of the process that runs them. */
export default class BareEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #env = { ...process.env };
  readonly #exit = process.exit;
  readonly #console = console;

  /** Null where nothing is measured. */
  readonly watch: FileWatch | null;

  constructor({ projectConfig }: JestEnvironmentConfig, { testPath }: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const to = process.env[timesVariable];
    const file = path.relative(projectConfig.rootDir, testPath);
    this.watch = to === undefined ? null : new FileWatch(file, projectConfig.displayName?.name ?? '', to);
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.watch?.end();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = this.#exit;
    globalThis.console = this.#console;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}
