import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { type FileWatch, watchFor } from './file-times.ts';

/** An environment for Jest without `vm`: tests use the globals of their process, which it puts back after each file. */
export default class BareEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #env = process.env;
  readonly #variables = { ...process.env };
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  readonly #exit = process.exit;
  readonly #console = console;

  readonly #watch: FileWatch | null;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
    this.#watch = watchFor(config, context);
  }

  handleTestEvent({ name }: Circus.Event): void {
    if (name === 'run_start') this.#watch?.loaded();
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.#watch?.end();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = this.#exit;
    globalThis.console = this.#console;
    process.env = this.#env;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}
