import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type runtime from 'jest-runtime';

const require = createRequire(import.meta.url);
const { default: JestRuntime } = require('jest-runtime') as typeof runtime;
type Globals = Parameters<InstanceType<typeof JestRuntime>['setGlobalsForRuntime']>[0];

/** A part of Jest's runtime that its types do not tell. */
interface WithGlobals {
  readonly jestGlobals: { jestObjectFor(path: string): unknown };
}

registerHooks({
  resolve(specifier, context, next) {
    return specifier === '@jest/globals'
      ? next('./globals.ts', { ...context, parentURL: import.meta.url })
      : next(specifier, context);
  },
});

let files = 0;

/**
 * Jest's runtime without `vm`: Node itself loads a test file and what it imports. What was imported stays loaded for the
 * next file of the same worker, so modules keep their state. Mocks of modules do not work.
 */
export default class BareRuntime extends JestRuntime {
  /** Loads Jest's test framework, anew for each file: it keeps the tests that it knows. */
  override requireInternalModule<Module>(path: string): Module {
    delete require.cache[path];
    return require(path) as Module;
  }

  override setGlobalsForRuntime(globals: Globals): void {
    super.setGlobalsForRuntime(globals);
    const { jestGlobals } = this as unknown as WithGlobals;
    Object.assign(globalThis, { jest: jestGlobals.jestObjectFor(fileURLToPath(import.meta.url)) });
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<never> {
    files += 1;
    await import(`${pathToFileURL(path).href}?file=${files}`);
    return undefined as never;
  }
}
