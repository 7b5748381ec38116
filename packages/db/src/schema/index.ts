export type { Database, LinkStep, MessageReport } from './tables.ts';
