export { type Db, type DbOptions, openDb, type Trx } from './connect.ts';
export { demandMigrated, migrate, pendingMigrations } from './migrate.ts';
export {
  dropPartitionsBefore,
  ensurePartitions,
  keptSince,
  partitioned,
} from './partitions.ts';
export type { AccountStatus, Database, DeliveryState, Lane, LinkStep, MessageReport } from './tables.ts';
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
  type CallbackAccount,
  type CallbackAddress,
  findCallbackAccounts,
  listAccounts,
  markVerified,
  type NewAccount,
  newCallbackSecret,
  type SealedAccount,
  type Sealer,
  type SettingsPlace,
  settingsPlace,
} from './channel-accounts.ts';
export {
  readSealed,
  replaceSealed,
  type Resealed,
  type SealedColumn,
  sealedColumns,
  type SealedValue,
} from './sealed-columns.ts';
export { findMessages, findMessagesOf, type LookedUp, type LookUp, type MessageRow } from './messages.ts';
export {
  type MessageFilter,
  type MessagePage,
  type MessageSearch,
  searchedTo,
  searchMessages,
} from './message-search.ts';
export {
  type AttemptRow,
  type MessageHistoryRow,
  readHistory,
  stepTimes,
  type TracedMessage,
} from './message-history.ts';
export type { EventDelivery, MessageEventRow } from './message-events.ts';
export { type Canceled, cancelMessage } from './cancel.ts';
export { acceptResend, findResend, type Original, type Resend } from './resend.ts';
export { lockTenant } from './tenant-lock.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  type NewWebhook,
  skipWaitingDeliveries,
  type WebhookChange,
  type WebhookRow,
} from './webhooks.ts';
export {
  mostReplacedSecrets,
  type NewSecret,
  previousSecretHours,
  rotateSecret,
  type SecretRotation,
  type WebhookSecretPlace,
} from './webhook-secrets.ts';
export { type WebhookStanding, webhookStandings } from './webhook-standing.ts';
export {
  type Claimed,
  type ClaimedAccount,
  claimMessages,
  type ClaimRequest,
  type ClaimTerms,
  releaseMessages,
} from './claim.ts';
export { nextDue, type NextDue, overdueAccounts } from './next-due.ts';
export { type Ended, failExpired, failRemoved } from './expire.ts';
export {
  dropOldReceipts,
  type Joined,
  joinReceipts,
  type JoinScope,
  type NewReceipt,
  postponeFirstDue,
  storeReceipts,
} from './receipts.ts';
export { type Settled, settleMessages, type Settlement } from './settle.ts';
export {
  type ApiKeyRow,
  createApiKey,
  findKeyHolders,
  type KeyHolder,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  touchApiKeys,
} from './api-keys.ts';
export { isDatabaseAway, whenDatabaseIsBack } from './away.ts';
export { rateLimitClient, type RateLimitClient, rateLimitTable } from './rate-limits.ts';
export { type Refreshed, type RefreshRequest, refreshSession } from './refresh-session.ts';
export {
  createSession,
  endSession,
  findOpenSession,
  listSessions,
  type NewSession,
  sessionDays,
  type SessionRow,
  type Transport,
} from './sessions.ts';
export {
  changePassword,
  createTenant,
  deleteTenant,
  findTenant,
  findTenantByEmail,
  type NewTenant,
  type PasswordChange,
  resetPassword,
  type TenantRow,
} from './tenants.ts';
export { purgeTenants, type Removed, removeExpired, removeOldUsage } from './removal.ts';
export { withSweepLock } from './sweep-lock.ts';
export {
  claimDeliveries,
  type ClaimedDelivery,
  type ClaimedWebhook,
  type OlderSecret,
  type DeliveryClaimRequest,
  type DeliveryClaimTerms,
  releaseDeliveries,
} from './claim-deliveries.ts';
export { clearUndeliverable, nextDeliveries, type NextDelivery, overdueWebhooks } from './deliveries.ts';
export { type DeliveryDecision, type DeliverySettlement, settleDeliveries } from './settle-deliveries.ts';
export { countKnownKeys, countWaiting } from './backlog.ts';
export {
  blockTenant,
  findTenantBy,
  type Holdings,
  holdingsOf,
  listTenants,
  setPlan,
  unblockTenant,
} from './operator.ts';
export { type ConsentChange, recordConsents } from './consent.ts';
export { dropOldSlots, takeSlots } from './pace.ts';
export { expireDeliveries } from './expire-deliveries.ts';
export {
  type DeliveryAttemptRow,
  type DeliveryQuery,
  type DeliveryRow,
  listDeliveries,
} from './delivery-log.ts';
export {
  type Redelivery,
  type Replay,
  replayBatch,
  replayingWebhooks,
  retryDelivery,
  startReplay,
  testWebhook,
} from './redeliver.ts';
export {
  findLink,
  type LinkPlace,
  linkPlace,
  type LinkRequest,
  type LinkRow,
  requestLink,
  requestUnlink,
} from './whatsapp-links.ts';
export { whatsappWeb } from './unlinked.ts';
export { type LinkWatcher, watchLinks } from './link-watch.ts';
export {
  changeLink,
  type DeviceRow,
  type DeviceState,
  devicesToLookAt,
  findDevice,
  forgetDevice,
  goneDevices,
  type LinkChange,
  listDevices,
  saveCreds,
  saveDataKey,
  takeOverDevices,
  tellDeviceState,
} from './whatsapp-devices.ts';
export { holdLogins, type LoginHold, type LoginStanding, loginStanding } from './whatsapp-logins.ts';
export { restrictDevice, type Restriction } from './whatsapp-restrictions.ts';
export { markRefused, markTaken, notePushback } from './whatsapp-answers.ts';
export {
  allowedNewContacts,
  type Contact,
  type ContactWait,
  contactWait,
  findContact,
  holdAccount,
  type NewContactRules,
  postpone,
  saveContact,
  saveLackOfLid,
  takePlace,
} from './whatsapp-contacts.ts';
export { type KeyChange, listKeys, readKeys, writeKeys } from './whatsapp-keys.ts';
export {
  leavePartitions,
  type PartitionLease,
  type PartitionsView,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  takePartitions,
} from './whatsapp-partitions.ts';
export {
  type AskedAgain,
  countAskedAgain,
  dropOldSent,
  messagesSentAs,
  saveSent,
  type SentId,
} from './whatsapp-sent.ts';
export { type RollUpOptions, rollUpUsage } from './usage-roll-up.ts';
export { markPossibleDuplicates } from './after-restore.ts';
export { recountDay } from './usage-recount.ts';
export { type MessageFigure, readUsage, type Usage, type UsageQuery, type WebhookFigures } from './usage.ts';
