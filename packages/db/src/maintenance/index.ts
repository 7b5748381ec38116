export { removeOldInbound } from './inbound-removal.ts';
export type { MigrationEvent } from './migrate/events.ts';
export { readMigrations } from './migrate/files.ts';
export { demandFit, demandNotTooNew, SchemaError } from './migrate/fit.ts';
export { migrate } from './migrate/migrate.ts';
export { MigratedByOther } from './migrate/one-at-a-time.ts';
export { type MigrationPlan, planMigrations } from './migrate/plan.ts';
export { dropPartitionsBefore, ensurePartitions, keptSince } from './partitions.ts';
export {
  purgeTenants,
  removeExpired,
  removeOldGroups,
  removeOldUsage,
  removeOldVerifications,
} from './removal.ts';
export {
  countSealed,
  readSealed,
  replaceSealed,
  type Resealed,
  type SealedColumn,
  sealedColumns,
} from './sealed-columns.ts';
export { withSweepLock } from './sweep-lock.ts';
