export { markPossibleDuplicates, renewEventEpoch } from './after-restore.ts';
export { demandMigrated, migrate } from './migrate.ts';
export { dropPartitionsBefore, ensurePartitions, keptSince } from './partitions.ts';
export { removeOldInbound } from './inbound-removal.ts';
export { purgeTenants, removeExpired, removeOldUsage } from './removal.ts';
export {
  readSealed,
  replaceSealed,
  type Resealed,
  type SealedColumn,
  sealedColumns,
} from './sealed-columns.ts';
export { withSweepLock } from './sweep-lock.ts';
