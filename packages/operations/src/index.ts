export { type Observed, observe, type ObserveOptions } from './observe.ts';
export { createSchemaCheck } from './schema-check.ts';
