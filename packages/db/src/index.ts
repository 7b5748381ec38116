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
export {
  type AccountChange,
  type AccountRow,
  changeAccount,
  createAccount,
  createSandboxAccounts,
  deleteAccount,
  findAccount,
  findCallbackAccount,
  listAccounts,
  markVerified,
  type NewAccount,
  newCallbackSecret,
  type SealedAccount,
  type Sealer,
  settingsPlace,
} from './channel-accounts.ts';
export { findMessage, type MessageRow } from './messages.ts';
export { lockTenant } from './tenant-lock.ts';
export {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  type NewWebhook,
  skipWaitingDeliveries,
  type WebhookRow,
} from './webhooks.ts';
export {
  type Claimed,
  type ClaimedAccount,
  claimMessages,
  type ClaimRequest,
  nextDue,
  type NextDue,
  overdueAccounts,
  releaseMessages,
} from './claim.ts';
export { type Ended, failExpired, failRemoved } from './expire.ts';
export {
  dropOldReceipts,
  type Joined,
  joinReceipts,
  type JoinScope,
  type NewReceipt,
  storeReceipts,
} from './receipts.ts';
export { type Settled, settleMessages, type Settlement } from './settle.ts';
