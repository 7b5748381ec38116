export {
  dropOldReceipts,
  joinReceipts,
  type JoinScope,
  type NewReceipt,
  postponeFirstDue,
  storeReceipts,
} from './receipts.ts';
