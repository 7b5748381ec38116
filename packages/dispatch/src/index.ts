export { createClaimer } from './claim.ts';
export type { DispatchDeps } from './deps.ts';
export { createReceipts, type Receipts } from './receipts.ts';
export { createMessageSettler, type MessageSettlerOptions } from './settle.ts';
export { dispatchWork } from './turn.ts';
export { createWebhookWaker, type WakeWebhooks } from './wake-webhooks.ts';
