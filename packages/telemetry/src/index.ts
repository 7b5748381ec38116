export * as metrics from './metrics/index.ts';
export { type Origin, type StartedTraces, type Trace, traces } from './traces/index.ts';
