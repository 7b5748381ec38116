export { createClaimer } from './message-claimer.ts';
export type { DispatchDeps } from './deps.ts';
export { openFileBucket, spoolDirOf } from './file-bucket.ts';
export { countInbound, countLateTexts } from './inbound-metrics.ts';
export { countReached, type EndedAttempt } from './message-metrics.ts';
export {
  createIntake,
  inboundAccount,
  type Intake,
  type Received,
  type ReceivingAccount,
  toConsent,
} from './intake.ts';
export { createGroupWaker, type GroupsDeps, groupsWork, type WakeGroups } from './groups.ts';
export { createReceipts, type Receipts } from './receipts.ts';
export { relayFile, type RelayedFile } from './relay-file.ts';
export { relayTell } from './relay-tell.ts';
export {
  callbacksBelow,
  callbackUrlOf,
  openAccount,
  openIfReadable,
  type SettingsRow,
} from './sealed-account.ts';
export { createMessageSettler, type MessageSettlerOptions } from './settle.ts';
export { traceStored } from './message-traces.ts';
export { dispatchWork } from './turn.ts';
export { unreadable } from './unreadable.ts';
export { createWebhookWaker, type WakeWebhooks } from './wake-webhooks.ts';
