import { createRequire } from 'node:module';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import type nodeEnvironment from 'jest-environment-node';
import { type FileWatch, watchFor } from './file-times.ts';

const require = createRequire(import.meta.url);
const { default: NodeEnvironment } = require('jest-environment-node') as typeof nodeEnvironment;

/** Jest's own environment, a `vm` context for each file, which also measures. */
export default class VmEnvironment extends NodeEnvironment {
  readonly #watch: FileWatch | null;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.#watch = watchFor(config, context);
  }

  handleTestEvent({ name }: Circus.Event): void {
    if (name === 'run_start') this.#watch?.loaded();
  }

  override async teardown(): Promise<void> {
    this.#watch?.end();
    await super.teardown();
  }
}
