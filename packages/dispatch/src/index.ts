export { createClaimer } from './claim.ts';
export type { DispatchDeps } from './deps.ts';
export { createDueLookup } from './due.ts';
export { createReceiptJoiner, joinAllDue, type ReceiptJoiner } from './receipts.ts';
export { createSettler, type SettlerOptions } from './settle.ts';
export { dispatchTurn } from './turn.ts';
