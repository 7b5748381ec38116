export { createClaimer } from './claim.ts';
export type { DispatchDeps } from './deps.ts';
export { createDueLookup } from './due.ts';
export { createReceipts, type Receipts } from './receipts.ts';
export { createMessageSettler, type MessageSettlerOptions } from './settle.ts';
export { dispatchWork } from './turn.ts';
