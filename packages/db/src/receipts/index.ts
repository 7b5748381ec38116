export { storeConcealed } from './conceal.ts';
export { applyReceipts, dropOldReceipts, postponeFirstDue, type ReceiptScope } from './apply.ts';
export { type NewReceipt, storeReceipts } from './store.ts';
export { takeReceipts, type TakenReceipts } from './take.ts';
