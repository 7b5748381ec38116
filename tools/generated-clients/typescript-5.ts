import { registerHooks } from 'node:module';

// Loaded before a generator: it works with the compiler's JavaScript API, which TypeScript 7 has no more, so it gets the
// TypeScript of this folder wherever npm has put the generator itself.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
