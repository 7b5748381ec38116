export {
  dropOldReceipts,
  applyReceipts,
  type ReceiptScope,
  type NewReceipt,
  postponeFirstDue,
  storeReceipts,
} from './receipts.ts';
