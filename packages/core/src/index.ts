export * from './backoff.ts';
export * from './decide.ts';
export * from './ids.ts';
export * from './message.ts';
export * from './outcome.ts';
export * from './segments.ts';
export * from './text.ts';
export * from './webhook-health.ts';
