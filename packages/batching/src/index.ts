export { type Batcher, type BatcherOptions, createBatcher, Overdue } from './batch.ts';
export { coalesceById } from './coalesce.ts';
export { plainFirst, type PlainFirstOptions } from './plain-first.ts';
export { createSettler, type Settle, type SettlerOptions } from './settler.ts';
