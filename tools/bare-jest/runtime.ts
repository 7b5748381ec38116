import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import type BareEnvironment from './environment.ts';

const require = createRequire(import.meta.url);
const globalsUrl = 'notify:jest-globals';
const known = globalThis as typeof globalThis & { jest?: unknown };

registerHooks({
  resolve(specifier, context, next) {
    return specifier === '@jest/globals'
      ? { url: globalsUrl, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    if (url !== globalsUrl) return next(url, context);
    const source = names.map((name) => `export const ${name} = current('${name}');`).join('\n');
    return { format: 'module', source: `${current}\n${source}`, shortCircuit: true };
  },
});

interface WithGlobals {
  readonly jestGlobals: { jestObjectFor(path: string): unknown };
}

const names = [
  'jest',
  'expect',
  'test',
  'it',
  'describe',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
];

/** Leads to the global of that name at each use: modules stay loaded, and every test file has globals of its own. */
function current(name: string): unknown {
  const globals = globalThis as unknown as Record<string, (...args: unknown[]) => unknown>;
  return new Proxy(() => undefined, {
    get: (_, key) => Reflect.get(globals[name]!, key),
    apply: (_, self, args) => Reflect.apply(globals[name]!, self, args),
  });
}

let files = 0;

/**
 * Jest's runtime without `vm`: a test file and all that it imports are loaded by Node itself, and stay loaded for the next
 * file of the same worker.
 */
export default class BareRuntime extends JestRuntime {
  readonly #environment: BareEnvironment;

  constructor(...all: ConstructorParameters<typeof JestRuntime>) {
    super(...all);
    this.#environment = all[1] as unknown as BareEnvironment;
  }

  /** Jest's test framework, new for each file: it keeps the tests that it knows. */
  override requireInternalModule<Module>(path: string): Module {
    delete require.cache[path];
    return require(path) as Module;
  }

  override setGlobalsForRuntime(globals: Parameters<JestRuntime['setGlobalsForRuntime']>[0]): void {
    super.setGlobalsForRuntime(globals);
    known.jest = (this as unknown as WithGlobals).jestGlobals.jestObjectFor(fileURLToPath(import.meta.url));
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<never> {
    files += 1;
    await import(`${pathToFileURL(path).href}?file=${files}`);
    this.#environment.watch?.loaded();
    return undefined as never;
  }
}
