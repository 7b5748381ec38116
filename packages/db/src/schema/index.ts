export type { Database, LinkStep, MessageReceipt } from './tables.ts';
