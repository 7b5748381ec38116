export * as metrics from './metrics/index.ts';
export { type BatchMember, type Origin, type StartedTraces, type Trace, traces } from './traces/index.ts';
