export type { Database, Lane, LinkStep, MessageReport } from './tables.ts';
