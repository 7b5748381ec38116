import { registerHooks } from 'node:module';

// Loaded before a generator, which uses the compiler's JavaScript API. TypeScript 7 no longer has that API, so the
// generator gets the TypeScript of this folder, wherever npm has put the generator.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
