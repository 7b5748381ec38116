export {
  dropOldReceipts,
  joinReceipts,
  type NewReceipt,
  postponeFirstDue,
  storeReceipts,
} from './receipts.ts';
