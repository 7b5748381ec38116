export { type Db, type DbOptions, openDb, type Trx } from './connect.ts';
export { migrate, pendingMigrations } from './migrate.ts';
export { dropPartitionsBefore, ensurePartitions, lowestIdAt, partitioned, timeOfId } from './partitions.ts';
export type { AccountStatus, Database, Lane } from './tables.ts';
export {
  type Accepted,
  type AcceptedMessage,
  type AcceptItem,
  acceptMessages,
  type AcceptResult,
  type AcceptRules,
  type RefusalCode,
  type Wake,
} from './accept.ts';
