export { type Accepted, acceptMessages, type AcceptResult } from './accept.ts';
export type { AcceptItem, AcceptRules } from './accept-statement.ts';
export { countKnownKeys, countWaiting } from './backlog.ts';
export { cancelMessage } from './cancel.ts';
export { cancelWaiting, findWaiting, type WaitingFilter } from './cancel-many.ts';
export type { EventDelivery } from './events.ts';
export { failExpired, failRemoved } from './expire.ts';
export { type FileRow, findFile } from './file.ts';
export { type AttemptRow, stepTimes, type TracedMessage } from './history.ts';
export {
  findMessages,
  findFittingMessages,
  findMessagesOf,
  findQuotables,
  isOutbound,
  type LookedUp,
  type LookUp,
  type MessageRow,
  type OutboundRow,
  type Quotable,
  type QuoteLookUp,
} from './look-up.ts';
export type { MessageFilter } from './filter.ts';
export type { ReachedStatus } from './status-changes.ts';
export { rescheduleMessage } from './reschedule.ts';
export { acceptResend, findResend, type Original } from './resend.ts';
export { countScheduled, moveApproaching } from './scheduled.ts';
export { searchedTo, searchMessages } from './search.ts';
export { findKnownAddresses } from './known-addresses.ts';
