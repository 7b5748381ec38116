/*
 * What `@jest/globals` exports, for test files in bare Node. Modules stay loaded from one test file to the next, and Jest
 * makes its globals anew for each; so every use goes to the globals of now.
 */

/** Leads to the global of that name. */
function current(name: string): unknown {
  const globals = globalThis as unknown as Record<string, (...args: unknown[]) => unknown>;
  return new Proxy(() => undefined, {
    get: (_, key): unknown => Reflect.get(globals[name]!, key),
    apply: (_, self, args) => Reflect.apply(globals[name]!, self, args),
  });
}

export const jest = current('jest');
export const expect = current('expect');
export const test = current('test');
export const it = current('it');
export const describe = current('describe');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
